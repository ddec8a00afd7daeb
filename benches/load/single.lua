-- wrk: one URL a request.
local paths = {}
for url in io.lines(os.getenv("URLS")) do
    local escaped = url:gsub("[^%w]", function(c) return ("%%%02X"):format(c:byte()) end)
    paths[#paths + 1] = wrk.format("GET", "/v1/translate?url=" .. escaped)
end

local at = 0
function request()
    at = at % #paths + 1
    return paths[at]
end

local pause = tonumber(os.getenv("DELAY"))
if pause > 0 then
    -- Not all at once.
    function delay() return math.random(0, 2 * pause) end
end
