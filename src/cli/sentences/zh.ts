import type { Sentences } from './en.ts'
import { zhDoctor, zhEvaluation } from './zh-checks.ts'
import { describeFailure, describeWarning, translateMessage } from './zh-errors.ts'
import { zhNotes } from './zh-notes.ts'
import { zhResults } from './zh-results.ts'
import { zhUsage } from './zh-usage.ts'
import { zhWork } from './zh-work.ts'

const STATUS: Readonly<Record<string, string>> = {
  indexed: '已索引',
  unchanged: '未更改',
  replaced: '已更新',
  moved: '已移动',
  removed: '已移除',
  skipped: '已跳过',
  failed: '失败',
}

const PLANS: Readonly<Record<string, string>> = {
  indexed: '待索引',
  replaced: '待更新',
  moved: '待移动',
  removed: '待移除',
}

const UNITS: Readonly<Record<string, string>> = {
  document: '份文档',
  chunk: '个分块',
  page: '页',
  row: '行',
  day: '天',
  'stored file': '个存储的文件',
  content: '项内容',
  byte: '字节',
  token: '个 token',
  turn: '轮',
  group: '组',
  store: '个资料库',
}

const nameStatus = (status: string) => STATUS[status] ?? status

export const zh: Sentences = {
  failure: describeFailure,
  describe: describeWarning,
  withoutAdvice: translateMessage,
  named: (source, text) => `${source}：${text}`,
  passim: text => `passim：${text}`,
  count: (count, thing) => `${count} ${UNITS[thing] ?? thing}`,
  stopped: '已停止。',
  resumes: '已停止。已完成的部分会保留，下次运行时从中断处继续。',
  usage: zhUsage,
  notes: zhNotes,
  results: zhResults,
  work: zhWork,
  doctor: zhDoctor,
  evaluation: zhEvaluation,
  help: command => `用法见 ${command} --help。`,
  listening: url => `passim 已启动，地址：${url}`,
  mcpListening: url => `passim mcp 已启动，地址：${url}`,
  find: {
    nothing: '没有文档包含这段文字。',
    place: (source, page) => `${source}，第 ${page} 页`,
    similarity: percent => `（${percent}% 的字相符）`,
  },
  tableCut: (name, rows, maxCells) =>
    `${name} 只读取了前 ${rows} 行：一份文档的表格最多 ${maxCells} 个单元格。`,
  created: home => `已在 ${home} 新建资料库。`,
  continuing: (id, title, sources) =>
    `继续对话 ${id}${sources && `（范围：${sources}）`}：${title}`,
  notStored: reason => `回答未能保存，之后无法用 --continue 继续：${reason}`,
  ask: {
    noModel: '未配置对话模型（PASSIM_MODEL_URL）：以下回答摘自文档原文。',
    noQuestions: file => `${file} 中没有问题。`,
    questions: '个问题',
    plan: '问题拆分为：',
    searched: (query, found) => `另外检索：${query}（${found} 个段落）`,
    calls: (name, args) => `调用 ${name} ${args}`,
    receipt: file =>
      `凭证已写入 ${file}。如需验证，请打开软件包中的 dist/web/verify.html，或服务的 /verify.html 页面。`,
    opened: file => `已打开 ${file}`,
    noBrowser: file => `无法启动浏览器。页面保存在 ${file}`,
  },
  chat: {
    greeting: '请就文档提问。输入 /help 查看命令。',
    help: `/sources      上一个回答的来源；/sources N 显示其中一条的全文
/history      显示问答记录
/save 文件    把对话保存为 Markdown
/quit         退出（也可按 Ctrl-D）；passim chat --continue 可继续`,
    wrote: file => `已写入 ${file}。`,
    unknownCommand: name => `没有命令 ${name}。输入 /help 查看全部命令。`,
    noAnswer: '还没有回答。',
    noSource: marker => `这个回答没有来源 ${marker}。`,
    noSources: '这个回答没有来源。',
    noFileName: '请给出文件名，例如 /save travel.md',
    stopped: '已停止回答。',
  },
  search: {
    nothing: '没有找到。',
    corrected: (from, to) => `没有段落包含“${from}”，已改为搜索：${to.join('、')}。`,
    synonyms: (from, to) => `“${from}”也按 ${to.join('、')} 搜索。`,
    notReranked: reason => `结果未能重新排序：${reason}`,
    omitted: count => `有 ${count} 条结果放不下，已省略。`,
    page: pages => `第 ${pages} 页`,
    confidence: value => `可信度 ${value}`,
    weak: '弱相关',
    listing: '目录',
    sameText: names => `相同内容另见 ${names.join('、')}`,
    byKeyword: '关键词',
    byVector: '向量',
    firstSearch: '初次搜索',
    reranker: '重新排序模型',
    reranked: (rank, score) => `重新排序前为第 ${rank} 位，得分 ${score}`,
    legs: { keyword: '关键词', vector: '向量' },
    notByLeg: leg => `${leg}未命中`,
    filter: values => `筛选：${values}`,
    noAttribute: '没有这个属性',
    noTerm: '没有匹配的词语',
    missingTerms: (message, terms) => `${message}缺少的词语：${terms.join('、')}。`,
  },
  index: {
    waiting: pid => `进程 ${pid} 正在索引这个文档集，请等待其完成，或按 Ctrl-C 停止等待。`,
    starting: '正在启动解析进程。',
    watching: '正在监视文件更改，按 Ctrl-C 停止。',
    retries: '文件下次更改时会重试。',
    warning: message => `警告：${message}`,
    done: (done, total) => `已完成 ${done}/${total}`,
    finishing: done => `已完成 ${done} 份，正在收尾`,
    byWords: count => `${count} 份可按关键词搜索`,
    remaining: time => `剩余 ${time}`,
    minutes: count => `${count} 分钟`,
    seconds: count => `${count} 秒`,
    comma: '，',
    semicolon: '；',
    plan: status => PLANS[status] ?? nameStatus(status),
    outcome: (status, text) => `${nameStatus(status)}：${text}`,
    summary: (count, status) => `${nameStatus(status)} ${count} 份`,
    chunks: count => `${count} 个分块`,
    noFiles: '没有找到文件',
    dryRun: summary => `试运行：${summary}`,
  },
  audit: {
    sound: (files, lines) => `没有发现问题：${files} 个文件，${lines} 行。`,
  },
  verify: {
    repaired: problem => `已修复：${problem}`,
    unrepaired: '这些问题无法在此修复。',
    advice: '可运行 passim verify --repair 修复能修复的部分。',
    sound: rootHash => `没有发现问题。根哈希 ${rootHash}`,
    more: count => `另有 ${count} 个同类问题，可用 --json 查看全部。`,
  },
  none: {
    documents: '没有文档。',
    collections: '没有文档集。',
    jobs: '没有任务。',
    sources:
      '设置中没有来源。请在 config.yaml 中添加，例如 sources: { papers: { type: folder, path: /srv/papers } }。',
    tables: '没有表格。',
  },
}
