import type { Sentences } from './en.ts'

export const zhNotes: Sentences['notes'] = {
  filters: `
查询中的 "短语" 必须出现，-词语 和 -"短语" 不得出现（以连字符开头的查询前须加 --）；
如果没有段落包含该短语，则显示相近的段落，并标为弱相关。

筛选条件比较文档的属性和元数据（title、author、created、modified、language、mediaType、name、source、pages）；
文档须符合全部条件：
  --filter author=Ada            =  !=  >  >=  <  <=
  --filter "language in zh,en"   in、not in
  --filter "created>=2020-05 and (status=final or status=signed)"
含空格的值须加引号：'title="Black and white"'。没有该属性的文档只符合 != 和 not in。`,
  evaluationSets: `
文件夹中须有检索评测集，每行一个 JSON 对象，或以制表符分隔：
  corpus.jsonl   {"id", "title", "text"}
  queries.jsonl  {"id", "query"}
  qrels.tsv      query-id  corpus-id  relevance
或者针对文档的问题集：
  docs/            文档
  questions.jsonl  {"id", "question", "answerable", "must_include": [["either", "or"]], "doc", "pages_ok", "evidence"}
单独一个这样的问题文件（FILE.jsonl）则针对资料库中的文档提问。`,
  synonyms: `
每行一组同义词，用逗号（, 或 ，）或顿号分隔；# 之后是注释：
  laptop, notebook, 笔记本电脑
  PC => personal computer, desktop      只从左到右生效`,
  backup: `
备份包含文档（连同文本和向量）、文档集、任务和对话；不包含设置、密钥、未完成的分段上传，
也不包含索引，导入时会重建。`,
  folders: `
文件夹中名称以点开头的文件和文件夹会略过，.gitignore 和 .passimignore 所列的也会略过；
直接指定的文件无论什么名称都会索引。`,
  example: '示例：',
}
