-- wrk: a thousand lines a request.
local bodies, lines = {}, {}
for url in io.lines(os.getenv("URLS")) do
    lines[#lines + 1] = url
    if #lines == 1000 then
        local body = table.concat(lines, "\n") .. "\n"
        bodies[#bodies + 1] = wrk.format("POST", "/v1/translate", { ["content-type"] = "text/plain" }, body)
        lines = {}
    end
end

local at = 0
function request()
    at = at % #bodies + 1
    return bodies[at]
end

local pause = tonumber(os.getenv("DELAY"))
if pause > 0 then
    -- Not all at once.
    function delay() return math.random(0, 2 * pause) end
end
