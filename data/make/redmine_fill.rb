# Fills a Redmine with four projects, or lets three weeks pass; run by `rails runner`.
#
#     redmine_fill.rb fill TEXTS      250 issues, 40 wiki pages, news, boards, versions, spent time
#     redmine_fill.rb change TEXTS    12 new issues, 10 closed, 6 moved, comments, wiki edits
#
# TEXTS is what redmine.sh printed of texts.py, as JSON: sentences and articles.

require 'json'
require 'active_support/testing/time_helpers'
include ActiveSupport::Testing::TimeHelpers

START = Time.utc(2024, 1, 8, 9)
CHANGE = START + 516.days
ISSUES = 250
DEVELOPERS = %w[ada barbara donald edsger grace]
PEOPLE = DEVELOPERS + %w[alan dennis frances hedy ken margaret radia]
# Identifier, name, the project above it, the share of the issues.
PROJECTS = [['compiler', 'Compiler', nil, 5], ['parser', 'Parser', 'compiler', 3],
            ['runtime', 'Runtime', 'compiler', 2], ['handbook', 'Handbook', nil, 1]]
CATEGORIES = %w[api build documentation interface network packaging security translation]
# Name, due (in days from the start), done.
VERSIONS = [['1.0', 120, true], ['1.1', 260, true], ['1.2', 400, true], ['2.0', 640, false],
            ['2.1', 760, false], ['3.0', 1000, false]]
# Until the change nobody has closed an issue of these, or opened one of the last.
QUIET_VERSIONS = %w[2.1 3.0]
NEW_CATEGORY = 'translation'

class Filling
  def initialize(seed, texts)
    @random, @texts = Random.new(seed), texts
  end

  def pick(list)
    list[@random.rand(list.size)]
  end

  def chance(share)
    @random.rand < share
  end

  def text(low, high)
    @texts['sentences'].sample(@random.rand(low..high), :random => @random)
                       .each_slice(4).map {|part| part.join(' ')}.join("\n\n")
  end

  def heading(low = 3, high = 8)
    pick(@texts['sentences']).split.first(@random.rand(low..high)).join(' ').sub(/[.,:;]+\z/, '')
  end

  def at(time)
    travel_to(time)
  end

  def set_up
    at(START)
    # No mails: nobody is there to read them.
    {'app_title' => 'The projects', 'host_name' => 'redmine.test', 'notified_events' => [],
     'welcome_text' => text(4, 6)}.each {|name, value| Setting[name] = value}
    PEOPLE.each do |name|
      user = User.new(:firstname => name.capitalize, :lastname => "of #{name}ville", :language => 'en',
                      :mail => "#{name}@example.org", :mail_notification => 'none')
      user.login = name
      user.save!
    end
    modules = %w[issue_tracking time_tracking news documents files wiki boards calendar gantt]
    PROJECTS.each do |identifier, name, above, _|
      project = Project.new(:name => name, :description => text(3, 5), :is_public => true)
      project.identifier = identifier
      project.enabled_module_names = modules
      project.trackers = Tracker.all
      project.save!
      project.set_parent!(Project.find(above)) if above
      PEOPLE.each do |person|
        role = Role.find_by!(:name => DEVELOPERS.include?(person) ? 'Developer' : 'Reporter')
        role = Role.find_by!(:name => 'Manager') if person == 'ada'
        Member.create!(:project => project, :principal => user(person), :roles => [role])
      end
      CATEGORIES.each_with_index do |category, at|
        project.issue_categories.create!(:name => category, :assigned_to => user(DEVELOPERS[at % 5]))
      end
      VERSIONS.each do |version, due, _|
        project.versions.create!(:name => version, :description => "The work for #{version}.",
                                 :effective_date => (START + due.days).to_date)
      end
    end
  end

  def user(name)
    User.find_by!(:login => name)
  end

  def projects
    PROJECTS.flat_map {|identifier, _, _, share| [identifier] * share}
  end

  def body(low = 2, high = 7)
    chance(0.3) ? "#{text(low, high)}\n\nSee ##{@random.rand(1..240)}." : text(low, high)
  end

  def issue(time, project, versions, categories)
    at(time)
    category = project.issue_categories.find_by!(:name => pick(categories))
    one = Issue.new(:project => project, :tracker => pick(Tracker.sorted.to_a), :author => user(pick(PEOPLE)),
                    :subject => heading(4, 9), :description => body,
                    :priority => pick(IssuePriority.active.to_a.values_at(0, 1, 1, 1, 2, 2, 3, 4)))
    one.category = category
    one.assigned_to = chance(0.7) ? category.assigned_to : nil
    one.fixed_version = project.versions.find_by!(:name => pick(versions)) if chance(0.8)
    one.start_date = time.to_date
    one.due_date = time.to_date + @random.rand(3..60) if chance(0.5)
    one.estimated_hours = @random.rand(1..30) if chance(0.4)
    one.status = IssueStatus.find_by!(:name => 'New')
    one.save!
    pick([0, 0, 1, 1, 2, 3]).times do
      time += @random.rand(2..90).hours
      comment(one, time) {one.priority = pick(IssuePriority.active.to_a) if chance(0.3)}
    end
    [one, time]
  end

  def comment(issue, time, person = pick(PEOPLE), note = body(1, 4))
    at(time)
    issue.reload.init_journal(user(person), note)
    yield if block_given?
    issue.save!
  end

  def close(issue, time)
    comment(issue, time + 9.hours, (issue.assigned_to || user('ada')).login, body(1, 2)) do
      issue.status = IssueStatus.find_by!(:name => pick(%w[Closed Closed Closed Closed Rejected]))
      issue.done_ratio = 100
    end
  end

  def issues
    early, done = CATEGORIES - [NEW_CATEGORY], VERSIONS.to_h {|name, _, done| [name, done]}
    ISSUES.times do |count|
      time = START + (count * 2).days + (count * 37 % 600).minutes
      reached = [count * 2 / 130, 3].min
      project = Project.find(pick(projects))
      one, time = issue(time, project, VERSIONS.map(&:first)[reached, 3], early)
      relate(one) if chance(0.25)
      name = one.fixed_version&.name
      next if QUIET_VERSIONS.include?(name)
      if done[name] || chance(0.35)
        close(one, time)
      elsif chance(0.4)
        comment(one, time + 5.hours, 'ada', '') do
          one.status = IssueStatus.find_by!(:name => pick(['In Progress', 'Resolved', 'Feedback']))
          one.done_ratio = pick([10, 30, 50, 80])
        end
      end
      spend(one, time) if chance(0.4)
    end
    Version.all.each {|version| version.update!(:status => 'closed') if done[version.name]}
  end

  def relate(issue)
    others = Issue.where(:project_id => issue.project_id).where.not(:id => issue.id).order(:id).to_a
    return if others.empty?
    # Who is here is noted as the one that did it.
    User.current = issue.author
    IssueRelation.create(:issue_from => issue, :issue_to => pick(others),
                         :relation_type => pick(%w[relates relates duplicates blocks precedes]))
  end

  def spend(issue, time)
    pick([1, 1, 2, 3]).times do
      person = user(pick(DEVELOPERS))
      TimeEntry.create!(:project => issue.project, :issue => issue, :user => person, :author => person,
                        :spent_on => time.to_date, :hours => pick([0.5, 1, 2, 3.5, 6]),
                        :comments => heading, :activity => pick(TimeEntryActivity.shared.active.to_a))
    end
  end

  def wiki
    # Some modules have a function of the same name, and no title has a dot.
    modules = @texts['articles'].reject {|name, _| name.include?('.')}.uniq(&:first)
    pages = {'compiler' => modules[0, 18], 'parser' => modules[18, 10], 'runtime' => modules[28, 8],
             'handbook' => modules[36, 4]}
    time = START
    pages.each do |identifier, articles|
      wiki = Project.find(identifier).wiki
      articles.each do |name, paragraphs|
        time += 12.days
        links = 4.times.map {"[[#{pick(articles).first}]]"}.join(' ')
        page = write(wiki, name, "h1. #{name}\n\n#{paragraphs.join("\n\n")}\n\nSee also: #{links}\n", time)
        pick([0, 0, 1, 2, 3]).times do
          time += 30.hours
          write(wiki, name, "#{page.reload.content.text}\n#{text(2, 5)}\n", time)
        end
        next unless name != articles.first.first && chance(0.3)
        page.reload.update!(:parent => wiki.find_page(articles.first.first))
      end
      list = articles.map {|name, _| "* [[#{name}]]"}.join("\n")
      write(wiki, 'Wiki', "h1. #{wiki.project.name}\n\n#{text(4, 7)}\n\n#{list}\n", time)
    end
  end

  def write(wiki, title, text, time)
    at(time)
    page = wiki.find_page(title) || WikiPage.new(:wiki => wiki, :title => title)
    content = page.content || WikiContent.new(:page => page)
    content.text, content.author = text, user(pick(DEVELOPERS))
    content.comments = chance(0.4) ? heading : ''
    raise page.errors.full_messages.join unless page.save_with_content(content)
    page
  end

  def boards
    time = START
    %w[compiler runtime].each do |identifier|
      project = Project.find(identifier)
      ['Questions', 'Announcements and plans'].each do |name|
        board = Board.create!(:project => project, :name => name, :description => heading)
        7.times do
          time += 15.days
          topic = message(board, nil, heading(4, 8), time)
          pick([0, 1, 2, 3, 6]).times do
            time += @random.rand(2..70).hours
            message(board, topic, "RE: #{topic.subject}", time)
          end
        end
      end
    end
  end

  def message(board, parent, subject, time)
    at(time)
    one = Message.new(:board => board, :parent => parent, :subject => subject, :content => text(2, 6))
    one.author = user(pick(PEOPLE))
    one.save!
    one
  end

  def news
    16.times do |count|
      time = START + (count * 31).days
      at(time)
      one = News.create!(:project => Project.find(pick(projects)), :author => user(pick(DEVELOPERS)),
                         :title => heading(3, 6)[0, 60], :summary => pick(@texts['sentences'])[0, 250],
                         :description => text(4, 9))
      pick([0, 1, 2]).times do
        at(time += 20.hours)
        one.comments.create!(:author => user(pick(PEOPLE)), :comments => text(1, 3))
      end
    end
    10.times do |count|
      at(START + (count * 50).days)
      Document.create!(:project => Project.find(pick(projects)), :title => heading,
                       :description => text(2, 4), :category => pick(DocumentCategory.active.to_a))
    end
  end

  # What the managers keep in the side bar for everybody.
  def queries
    open = {'status_id' => {:operator => 'o', :values => ['']}}
    urgent = open.merge('priority_id' => {:operator => '=',
                                          :values => IssuePriority.active.last(2).map {|one| one.id.to_s}})
    old = open.merge('updated_on' => {:operator => '<t-', :values => ['90']})
    {'Urgent' => urgent, 'Forgotten' => old}.each do |name, filters|
      save_query(name, nil, filters)
    end
    Project.all.each do |project|
      save_query('Without anybody', project,
                 open.merge('assigned_to_id' => {:operator => '!*', :values => ['']}))
      save_query('By version', project, open, :group_by => 'fixed_version')
    end
  end

  def save_query(name, project, filters, more = {})
    query = IssueQuery.new({:name => name, :project => project, :user => user('ada'), :filters => filters,
                            :visibility => Query::VISIBILITY_PUBLIC}.merge(more))
    query.save!
  end

  def fill
    set_up
    issues
    wiki
    boards
    news
    queries
  end

  def change
    time = CHANGE
    # New issues, the first ones of a category that had none.
    12.times do |count|
      time += 20.hours
      categories = count < 4 ? [NEW_CATEGORY] : CATEGORIES
      issue(time, Project.find(pick(projects)), %w[2.0 2.1 3.0], categories)
    end
    opened = Issue.open.where('issues.id <= ?', ISSUES).order(:id).to_a
    quiet, others = opened.partition {|one| QUIET_VERSIONS.include?(one.fixed_version&.name)}
    closed = quiet.sample(5, :random => @random) + others.sample(5, :random => @random)
    closed.each {|one| close(one, time += 7.hours)}
    (opened - closed).sample(6, :random => @random).each do |one|
      comment(one, time += 7.hours, 'grace', body(1, 3)) do
        one.assigned_to, one.fixed_version = user('grace'), one.project.versions.find_by!(:name => '3.0')
      end
    end
    Issue.order(:id).to_a.sample(8, :random => @random).each {|one| comment(one, time += 5.hours)}
    %w[compiler compiler parser runtime].each do |identifier|
      page = pick(Project.find(identifier).wiki.pages.order(:id).to_a)
      write(page.wiki, page.title, "#{page.content.text}\n#{text(2, 4)}\n", time += 3.hours)
    end
    topic = Message.where(:parent_id => nil).order(:id).last
    2.times {message(topic.board, topic, "RE: #{topic.subject}", time += 3.hours)}
  end
end

action, texts = ARGV
texts = JSON.parse(File.read(texts))
User.current = nil
action == 'fill' ? Filling.new(1, texts).fill : Filling.new(2, texts).change
