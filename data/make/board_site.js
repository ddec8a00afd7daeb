'use strict';
/* A discussion board: fills NodeBB 1.4.0 with what board_texts.py wrote, or serves it.
 *
 *     board_site.js fill FOLDER TEXTS     FOLDER is NodeBB's, set up and with its config.json
 *     board_site.js serve FOLDER
 */

// Pages tell which topics are of this day, week and month: the clock stands while the site is served.
const RealDate = Date;
let now = RealDate.UTC(2025, 3, 28, 10);
global.Date = class extends RealDate {
	constructor(...parts) {
		super(...(parts.length ? parts : [now]));
	}
	static now() { return now; }
};
const fs = require('fs');
const path = require('path');
const { promisify } = require('util');
const [action, folder, texts] = process.argv.splice(2);
const load = name => require(path.resolve(name));
process.chdir(folder);
// Its plugins look for their parts from NodeBB's main file.
const Module = require('module');
const app = path.resolve('app.js');

async function main() {
	if (action === 'serve') {
		Module._load(app, null, true);
		// Visitors without cookies would be counted each time; the board's later versions do not count crawlers.
		load('src/topics').increaseViewCount = () => {};
		const user = load('src/user');
		const increment = user.incrementUserFieldBy;
		user.incrementUserFieldBy = (uid, field, value, done) =>
			field === 'profileviews' ? done && done() : increment(uid, field, value, done);
		return;
	}
	process.mainModule = new Module(app, null);
	Object.assign(process.mainModule, { filename: app, paths: Module._nodeModulePaths(folder) });
	const nconf = load('node_modules/nconf');
	nconf.file({ file: path.resolve('config.json') });
	nconf.defaults({ base_dir: path.resolve('.'), themes_path: path.resolve('node_modules'), relative_path: '', isPrimary: 'true',
		version: load('package.json').version, bcrypt_rounds: 4, views_dir: path.resolve('public/templates'),
		upload_url: '/uploads', upload_path: '/public/uploads' });
	nconf.set('base_url', nconf.get('url'));
	const db = load('src/database');
	await promisify(db.init)();
	const meta = load('src/meta');
	await promisify(meta.configs.init)();
	await fill(JSON.parse(fs.readFileSync(texts)), db, meta);
	process.exit(0);
}

async function fill(given, db, meta) {
	const [topics, posts, user, groups, categories] = ['topics', 'posts', 'user', 'groups', 'categories'].map(name => load('src/' + name));
	const call = (thing, name, ...values) => promisify(thing[name].bind(thing))(...values);
	Object.assign(meta.config, { postDelay: 0, initialPostDelay: 0, newbiePostDelay: 0 });
	await call(meta.configs, 'set', 'title', 'Board');
	// A busy machine would answer some requests with an error.
	await call(meta.configs, 'set', 'eventLoopCheckEnabled', 0);
	// Its pictures would be fetched from another site.
	await call(db, 'sortedSetRemove', 'plugins:active', 'nodebb-plugin-emoji-one');
	await call(db, 'sortedSetRemove', 'plugins:active', 'nodebb-plugin-emoji-extended');

	now = given.members[0].joined * 1000;
	const boards = {};
	// The set-up has made four of its own.
	for (const cid of [1, 2, 3, 4]) await call(categories, 'purge', cid, 1);
	for (const [name, below] of Object.entries(given.boards)) {
		boards[name] = (await call(categories, 'create', { name, description: `All about: ${name.toLowerCase()}` })).cid;
		for (const child of below) {
			boards[child] = (await call(categories, 'create', { name: child, description: `On ${child.toLowerCase()}`,
				parentCid: boards[name] })).cid;
		}
	}
	const uids = [];
	for (const member of given.members) {
		now = member.joined * 1000;
		const uid = await call(user, 'create', { username: member.name, email: `${member.name.replace(' ', '.')}@example.org` });
		uids.push(uid);
		await call(user, 'setUserFields', uid, { aboutme: member.about, signature: member.signature });
	}
	for (const [at, member] of given.members.entries()) {
		for (const other of member.follows) await call(user, 'follow', uids[at], uids[other]);
	}
	for (const [name, members] of Object.entries(given.groups)) {
		await call(groups, 'create', { name, description: `Members who help as ${name.toLowerCase()}`, ownerUid: uids[members[0]] });
		for (const member of members.slice(1)) await call(groups, 'join', name, uids[member]);
	}

	const tids = [], pids = new Map();
	const order = given.posts.map((post, number) => [post, number]).sort(([one, a], [other, b]) => one.time - other.time || a - b);
	const place = post => post.topic + ' ' + post.at;
	const known = new Map();
	for (const [post, number] of order) {
		now = Math.round(post.time * 1000);
		const uid = uids[post.member], topic = given.topics[post.topic];
		let content = post.text;
		const answered = post.answers === null ? null : given.posts[post.answers];
		if (answered && post.quotes) {
			// As its button writes it.
			const title = topic.title.replace(/([\\`*_{}[\]()#+\-.!])/g, '\\$1');
			const name = given.members[answered.member].name.replace(' ', '-');
			content = `@${name} said in [${title}](/post/${pids.get(post.answers)}):\n> ${answered.text.split('\n')[0]}\n\n${content}`;
		} else if (answered && post.names) {
			content = `@${given.members[answered.member].name.replace(' ', '-')} ${content}`;
		}
		if (post.link && tids[post.link.topic]) {
			const slug = known.get(post.link.topic);
			content += `\n\nSee also http://board.test/topic/${slug}` + (post.link.at === null ? '' : `/${post.link.at + 1}`);
		}
		if (post.at === 0) {
			const made = await call(topics, 'post', { uid, cid: boards[topic.board], title: topic.title, content, tags: topic.tags });
			tids[post.topic] = made.topicData.tid;
			known.set(post.topic, made.topicData.slug);
			pids.set(number, made.postData.pid);
			await call(topics, 'setTopicField', made.topicData.tid, 'viewcount', topic.views);
		} else {
			const made = await call(topics, 'reply', { uid, tid: tids[post.topic], content, toPid: answered ? pids.get(post.answers) : undefined });
			pids.set(number, made.pid);
		}
		for (const voter of post.votes) {
			if (voter !== post.member) await call(posts, 'upvote', pids.get(number), uids[voter]);
		}
	}
	const { tools } = topics;
	for (const [at, topic] of given.topics.entries()) {
		if (topic.pinned) await call(tools, 'pin', tids[at], 1);
		if (topic.locked) await call(tools, 'lock', tids[at], 1);
	}
	for (const uid of uids) await call(user, 'setUserField', uid, 'profileviews', 3 + uid * 7 % 90);
}

main().catch(error => { console.error(error); process.exit(1); });
