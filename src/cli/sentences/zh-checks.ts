import { translate } from '../../errors/chinese/translate.ts'
import { getDetail } from '../../errors/localizable.ts'
import type { Check } from '../../wire/checks.ts'
import type { AnswerJudgement } from '../../wire/evaluation.ts'
import type { Sentences } from './en.ts'

const CHECKS: Readonly<Record<Check['name'], string>> = {
  catalog: '目录库',
  disk: '磁盘',
  s3: 'S3',
  database: '数据库',
  weaviate: 'Weaviate',
  embedder: '向量模型',
  reranker: '重新排序模型',
  collections: '文档集',
  upkeep: '索引维护',
  OCR: 'OCR',
  LibreOffice: 'LibreOffice',
  'parser processes': '解析进程',
  'answer risk': '回答的出错比例',
  'chat model': '对话模型',
  'chat model in use': '对话模型实测',
}

const FORMATS: Readonly<Record<string, string>> = {
  asciidoc: 'AsciiDoc',
  cards: '联系人和日历',
  code: '源代码',
  csv: 'CSV',
  doc: 'Word 97',
  docx: 'Word',
  eml: '邮件',
  epub: 'EPUB',
  html: 'HTML',
  image: '图片',
  ipynb: 'Jupyter 笔记本',
  json: 'JSON',
  jsonl: 'JSON Lines',
  markdown: 'Markdown',
  mbox: '邮箱文件',
  msg: 'Outlook 邮件',
  odp: 'OpenDocument 演示文稿',
  ods: 'OpenDocument 表格',
  odt: 'OpenDocument 文本',
  org: 'Org',
  passage: '程序传入的文本',
  pdf: 'PDF',
  ppt: 'PowerPoint 97',
  pptx: 'PowerPoint',
  rst: 'reStructuredText',
  rtf: 'RTF',
  tex: 'LaTeX',
  text: '纯文本',
  tnef: 'winmail.dat',
  tsv: '制表符分隔的表格',
  xls: 'Excel 97',
  xlsx: 'Excel',
  xml: 'XML',
  zip: 'ZIP 压缩包',
}

export const zhDoctor: Sentences['doctor'] = {
  program: (version, node, platform, cores) =>
    `passim ${version}，Node ${node}，${platform}，${cores} 个核心`,
  store: (home, format, free) => `资料库 ${home}（格式 ${format}），可用空间 ${free}`,
  settings: settings => `按本机确定的设置：${settings}`,
  formats: parsers => `文件格式：${parsers.map(name => FORMATS[name] ?? name).join('、')}`,
  embedders: names => `向量模型：${names}`,
  hosts: names => `可能连接的主机：${names}`,
  noHosts: '无，数据不会离开本机',
  detail: check => translate(getDetail(check)) ?? check.detail,
  check: (isOk, name, text) => `${isOk ? '正常' : '失败'} ${CHECKS[name]}：${text}`,
}

const MEASURES: Readonly<Record<keyof AnswerJudgement, string>> = {
  correct: '回答正确',
  wronglyAbstained: '有答案却拒绝回答',
  rightlyAbstained: '无答案时拒绝回答',
  documentHit: '引用了正确的文档',
  pageHit: '引用了正确的页',
  evidenceHit: '引用了正确的依据',
}

export const zhEvaluation: Sentences['evaluation'] = {
  measure: measure => MEASURES[measure],
  of: (rate, count) => `${rate}  共 ${count} 个`,
  misses: ids => `答错或误判的问题：${ids.join('、')}`,
  times: times => `每个问题 ${times}`,
  earlierRun: '之前的运行',
  against: (other, figures, queries) => `与${other}相比：${figures}，${queries} 个查询`,
}
