import { formatBytes } from '../../system/byte-sizes.ts'
import type { DeletionPlace, Unproved } from '../../wire/deletion.ts'
import type { Sentences } from './en.ts'

const STATUS: Readonly<Record<string, string>> = {
  completed: '已完成',
  in_progress: '处理中',
  failed: '失败',
  cancelled: '已取消',
}

const FIELDS: Readonly<Record<string, string>> = {
  id: 'ID',
  source: '来源',
  collection: '文档集',
  status: '状态',
  'searchable by': '搜索方式',
  title: '标题',
  type: '类型',
  size: '大小',
  indexed: '索引时间',
  author: '作者',
  created: '创建时间',
  modified: '修改时间',
  language: '语言',
  warning: '警告',
}

const MATCHING = { words: '关键词', all: '关键词和语义' }

const nameStatus = (status: string) => STATUS[status] ?? status

const PLACES: Readonly<Record<DeletionPlace, string>> = {
  documents: '目录：文档',
  jobs: '目录：任务',
  files: '目录：上传的文件',
  originals: '内容：原始文件',
  texts: '内容：解析出的文本',
  vectors: '内容：向量',
  pictures: '内容：页面图片',
  index: '索引：行',
  bucket: '存储桶：对象',
  caches: '缓存的回答和笔记',
  conversations: '引用它的对话',
  responses: '引用它的已存回复',
  runs: '提到它的运行记录',
  hits: '提到它的命中列表',
  events: '事件（只保留 id）',
}

const UNPROVED: Readonly<Record<Unproved, string>> = {
  disk: '文件系统的数据块和快照',
  backups: '备份',
  outside: '日志、已发出的凭据和回答、模型服务器',
  source: '仍然存在的源文件',
  retries: '为 Idempotency-Key 保留 24 小时的回答',
  log: '正被其他进程读取的目录日志',
  database: 'PostgreSQL 的日志、列统计、副本和备份',
  bucket: '存储桶的对象历史版本',
  machines: '其他机器上的副本',
  weaviate: 'Weaviate 的文件',
}

export const zhResults: Sentences['results'] = {
  status: nameStatus,
  searchableBy: matching => `可按${matching}搜索`,
  field: name => FIELDS[name] ?? name,
  matching: searchable => MATCHING[searchable],
  page: (page, text) => `第 ${page} 页：${text}`,
  documents: (all, others) => (others.length > 0 ? `${all}（${others.join('，')}）` : all),
  inStatus: (count, status) => `${count} 份${nameStatus(status)}`,
  createdCollection: (name, id, facts) => `已创建文档集 ${name}（${id}），${facts.join('，')}。`,
  engine: engine => `索引引擎 ${engine}`,
  comma: '，',
  exported: (files, file) => `已将 ${files}导出到 ${file}。`,
  restoreBackup: file =>
    `要试用这个备份，可恢复到新的文件夹：passim --home 文件夹 import ${file}，再用 passim --home 文件夹 verify 检查。`,
  imported: (files, home) => `已将 ${files}导入 ${home}。`,
  missingContents: contents => `文档有 ${contents}缺失或损坏，可运行 passim verify 查看。`,
  noKeys: '没有密钥：服务只接受本机的请求。',
  storeKey: '请妥善保存：密钥不会再次显示。',
  useKey: scope =>
    `这个密钥的权限是 ${scope}。程序用“Authorization: Bearer 密钥”发送它；在浏览器中打开服务的页面时，页面会要求输入它。从现在起，服务会拒绝没有密钥的请求。`,
  revoked: (name, id) => `已吊销密钥 ${name}（${id}）。`,
  noValidKey: '已没有有效的密钥：用 passim keys create 创建密钥之前，服务会拒绝所有请求。',
  neverUsed: '从未使用',
  usedOn: day => `上次使用 ${day}`,
  revokedKey: '已吊销',
  collection: name => `文档集 ${name}`,
  collectionSize: (name, size) => `文档集 ${name}：${size}`,
  deletedCollection: name => `已删除文档集 ${name}。`,
  deletedDocument: (source, collection) => `已从 ${collection} 删除 ${source}。`,
  deletedDocuments: documents => `已删除 ${documents}。`,
  deletedForGood: name => `已永久删除 ${name}。`,
  fileExists: '文件本身仍在：再次索引其所在文件夹时，会重新加入。',
  permanently: what => `永久删除 ${what}。`,
  heading: what => `${what}。`,
  typeName: name => `输入 ${name} 以确认删除：`,
  wayBack: (days, command) => `${days}内可以恢复：${command}`,
  everything: '存储中的全部内容',
  report: ({ places, scan, unproved, proved }) => [
    ...places.map(({ place, removed, left }) =>
      left > 0
        ? `${PLACES[place]}：已删除 ${removed}，剩余 ${left}`
        : `${PLACES[place]}：已删除 ${removed}`,
    ),
    `已在 ${scan.files} 个文件（${formatBytes(scan.bytes)}）中查找 ${scan.texts} 个短语、${scan.vectors} 段向量和 ${scan.originals} 段原始字节（其中 ${scan.shared} 个其他文档也有）：${scan.found.length === 0 ? '均未找到。' : `在 ${scan.found.length} 个文件中找到。`}`,
    ...scan.found.map(({ file, traces }) => `  ${file}：${traces}`),
    proved ? '已证明：本存储中没有任何残留。' : '未能证明。',
    `不在证明范围内：${unproved.map(place => UNPROVED[place]).join('；')}。`,
  ],
  nothingToRestore: '没有可以恢复的内容。',
  restored: name => `已恢复 ${name}。`,
  ofCollection: (document, collection) => `${document}（文档集 ${collection}）`,
  deletedAt: (deleted, expires) => `；删除于 ${deleted}，${expires} 之前可以恢复`,
}
