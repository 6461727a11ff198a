import type { PutDocumentJson } from '../../wire/document.ts'
import type { JobJson } from '../../wire/job.ts'
import type { TableJson } from '../../wire/table.ts'
import type { Sentences } from './en.ts'
import type { FieldType, Step } from './en-work.ts'

const STEPS: Readonly<Record<Step, string>> = {
  parse: '解析页面',
  chunk: '切分分块',
  embed: '为分块生成向量',
  write: '将分块写入索引',
  page: '页',
  content: '内容',
  piece: '数据块',
}

const STATES: Readonly<Record<JobJson['state'], string>> = {
  queued: '排队中',
  running: '进行中',
  completed: '已完成',
  failed: '失败',
  cancelled: '已取消',
}

const PUT: Readonly<Record<PutDocumentJson['result'], string>> = {
  created: '已添加',
  replaced: '已替换',
  updated: '已更新属性',
  unchanged: '未更改',
}

const KINDS: Readonly<Record<TableJson['columns'][number]['kind'], string>> = {
  number: '数字',
  date: '日期',
  time: '时间',
  flag: '是/否',
  text: '文本',
}

const FIELDS: Readonly<Record<FieldType, string>> = {
  string: '文本',
  number: '数字',
  integer: '整数',
  boolean: '是或否',
  array: '多项，用逗号分隔',
}

export const zhWork: Sentences['work'] = {
  starting: '正在启动',
  stage: (stage, done, total) => `${STEPS[stage]} ${done}${total === undefined ? '' : `/${total}`}`,
  step: (step, done, total) => `${STEPS[step]} ${done}${total ? `/${total}` : ''}`,
  reEmbedding: embedder => `正在改用向量模型 ${embedder}`,
  jobs: {
    state: state => STATES[state],
    remaining: seconds => `剩余 ${seconds} 秒`,
    shown: (listed, total) =>
      `显示最新的 ${listed} 个任务，共 ${total} 个。用 --limit ${total} 可查看全部。`,
    unattended: count =>
      `有 ${count} 个任务在等待，目前没有进程处理；下次运行 passim index 或 passim serve 时会继续。`,
    cancelled: source => `已取消 ${source}。`,
    working: 'passim work 正在索引排队的文档并运行批处理。',
  },
  sync: {
    state: state => (state === 'new' ? '尚未运行' : STATES[state]),
    finished: time => `上次 ${time}`,
    next: time => `下次 ${time}`,
    failed: count => `${count} 份失败`,
    removed: (name, documents) => `已删除 ${name} 的 ${documents}。`,
  },
  reEmbed: {
    unchanged: ({ collection, embedder }) => `${collection} 已在使用 ${embedder}。`,
    unfinished: ({ collection, embedder }, { id, state, reason }) =>
      `${collection} 仍在使用 ${embedder}：任务 ${id} ${STATES[state]}。${reason}`,
    done: ({ collection, embedder, before }, size) =>
      `${collection} 已从 ${before} 改用 ${embedder}：${size}`,
  },
  move: {
    unchanged: ({ collection, engine }) => `${collection} 的索引已在 ${engine} 中。`,
    unfinished: ({ collection, engine }, { id, state, reason }) =>
      `${collection} 的索引仍在 ${engine} 中：任务 ${id} ${STATES[state]}。${reason}`,
    done: ({ collection, engine }, size) => `${collection} 的索引已移到 ${engine}：${size}`,
  },
  put: (result, id, chunks) => `${PUT[result]}：${id}，${chunks}`,
  synonyms: {
    none: collection => `${collection} 没有同义词。`,
    cleared: collection => `已清除 ${collection} 的同义词。`,
    set: (collection, groups) => `${collection} 现有 ${groups}同义词。`,
  },
  tables: {
    page: page => `，第 ${page} 页`,
    cut: '，未读完',
    noName: '（无名称）',
    kind: (kind, unit) => (unit ? `${KINDS[kind]}（${unit}）` : KINDS[kind]),
    ambiguous: '文本（其中的数字有歧义）',
  },
  chunk: (id, tokens, headings) => `${id}，${tokens}${headings && `，位于 ${headings}`}`,
  switchedOff: '已停用',
  note: '备注',
  conversations: {
    none: '没有对话。',
    noneJudged: '还没有评价过的回答，因此没有写入任何内容。',
    empty: '还没有内容',
    size: (title, turns) => `永久删除对话 ${title}：${turns}`,
    deleted: id => `已删除对话 ${id}。`,
  },
  forms: {
    heading: (server, message) => `MCP 服务器 ${server} 询问：${message}`,
    accept: '是否接受？（是或否）：',
    hint: (type, isRequired) => `${FIELDS[type]}，${isRequired ? '留空则拒绝' : '可留空'}`,
    wrong: problems => `不符合要求：${problems}。`,
  },
  migrated: (stores, place) =>
    `已将 ${stores}移到 ${place}。如果内容或索引也要移动，接着运行 passim verify --repair。可用 passim doctor 检查结果。`,
}
