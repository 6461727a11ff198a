/** 命令行帮助：标题、命令、参数和选项的说明，以英文原文为键；测试会检查有无遗漏。 */
export const HELP: ReadonlyMap<string, string> = new Map([
  ['Usage:', '用法：'],
  ['Arguments:', '参数：'],
  ['Options:', '选项：'],
  ['Commands:', '命令：'],
  ['display help for command', '显示帮助'],
  ['output the version number', '显示版本号'],

  [
    'Index documents and answer questions about them, with citations that can be checked.',
    '为文档建立索引并回答相关问题，每个回答都附有可核对的引文。',
  ],
  [
    'folder of the store (default $PASSIM_HOME or ~/.passim)',
    '资料库所在的文件夹（默认为 $PASSIM_HOME 或 ~/.passim）',
  ],
  [
    'settings file to use instead of config.yaml in the home',
    '用这个设置文件代替资料库中的 config.yaml',
  ],
  ['print JSON', '输出 JSON'],
  ['print results and errors only', '只输出结果和错误'],
  [
    'fail instead of waiting if a collection or store is in use',
    '文档集或资料库被占用时，不等待，直接报错退出',
  ],

  ['collection to search (may be repeated)', '要搜索的文档集（可多次指定）'],
  ['collection; it is created if it does not exist', '文档集；不存在时自动创建'],
  ['collection (default: default)', '文档集（默认值：default）'],
  ['collection of the document', '文档所在的文档集'],
  ['only this collection', '只列出这个文档集的文档'],
  ['only in this collection', '只在这个文档集中查找'],
  ['document: id, path or base name', '文档：ID、路径或文件名'],
  ['documents: id, path or base name', '文档：ID、路径或文件名'],
  ['password of an encrypted file', '加密文件的密码'],
  ['password of an encrypted file; it is not stored', '加密文件的密码，不会保存'],
  ['password of encrypted files; it is not stored', '加密文件的密码，不会保存'],
  [
    'OCR: only where a page has no text, never, or on all pages',
    'OCR：仅用于没有文字的页面、从不使用，或用于所有页面',
  ],
  ['search mode', '搜索方式'],
  [
    'rank the best hits again by their best sentences: better results, up to a second slower',
    '按最相关的句子为靠前的结果重新排序：结果更准，最多慢一秒',
  ],
  [
    'how certain an answer without a model must be, from 0 (always answer) to 1 (default 0.5)',
    '不用模型回答时须有多大把握：从 0（总是回答）到 1（默认 0.5）',
  ],
  [
    'maximum share of wrong ones among answers without a model and among confirmed sentences of one, such as 0.2 (default 1: any)',
    '不用模型的回答，以及模型回答里已证实的句子，最多允许多大比例有错，如 0.2（默认 1：不限）',
  ],
  [
    'write what answering.calibration reads for answering.maxRisk',
    '写出 answering.calibration 所读的文件，供 answering.maxRisk 使用',
  ],
  ['model to use, of the configured server', '要使用的模型，须由所配置的服务器提供'],
  ['quote the documents, even if a model is configured', '即使配置了模型，也只摘录文档原文'],
  ['do not ask for confirmation; required without a terminal', '不再询问确认；没有终端时必须指定'],

  [
    'index files, folders and URLs; skip unchanged ones and remove those that are gone',
    '为文件、文件夹和网址建立索引；跳过未更改的，移除已不存在的',
  ],
  ['files, folders and http(s) URLs', '文件、文件夹和 http(s) 网址'],
  ['index unchanged files again', '未更改的文件也重新索引'],
  ['do not embed: keyword search only', '不生成向量，只能按关键词搜索'],
  ['show what would change, and do nothing', '只显示会有哪些更改，不执行'],
  ['keep documents whose file is gone', '保留文件已不存在的文档'],
  ['remove the documents of a path that is missing or empty', '路径不存在或为空时，移除其下的文档'],
  ['index only files that match (may be repeated)', '只索引匹配的文件（可多次指定）'],
  ['skip files that match (may be repeated)', '跳过匹配的文件（可多次指定）'],
  [
    'index more pages of the site: those of its sitemap, or those up to N links away',
    '索引网站的更多页面：站点地图列出的页面，或 N 次链接以内的页面',
  ],
  ['maximum number of pages per site', '每个网站最多索引多少页'],
  ['allow URLs with private and loopback addresses', '允许内网和本机地址'],
  [
    'keep running and index whenever files change, until Ctrl-C',
    '持续运行，文件一有更改就索引，直到按下 Ctrl-C',
  ],

  [
    'index a file under an id of yours; the same id again replaces the document',
    '用自定的 ID 索引一个文件；再次使用同一 ID 会替换原文档',
  ],
  ['id of the document, unique in its collection', '文档的 ID，在文档集内唯一'],
  ['file to index', '要索引的文件'],
  ['title of the document', '文档的标题'],
  ['address where people read it', '供人阅读的网址'],
  ['language of the document, such as en', '文档的语言，例如 zh'],
  ['attribute to filter by (may be repeated)', '用于筛选的属性（可多次指定）'],

  ['find where a quotation or a picture of a page comes from', '查找一段引文或一张页面图片的出处'],
  ['quotation, or a file such as a photo of a page', '引文，或页面照片之类的文件'],
  ['maximum number of places', '最多显示多少处'],

  ['find passages', '搜索段落'],
  [
    'search only this document or folder: id, path or base name (may be repeated)',
    '只搜索这份文档或文件夹：ID、路径或文件名（可多次指定）',
  ],
  ['search only documents that match (may be repeated)', '只搜索符合条件的文档（可多次指定）'],
  ['search only these pages, for example 7 or 3-9', '只搜索这些页，例如 7 或 3-9'],
  [
    'print passages as context for a model, up to this many tokens',
    '把段落输出为模型的上下文，不超过指定的 token 数',
  ],
  [
    'show for each hit its matching terms and its ranks by keyword and by vector',
    '显示每条结果匹配的词语，以及按关键词和按向量的名次',
  ],
  ['explain why this document is or is not among the hits', '说明这份文档为什么在或不在结果中'],
  ['maximum number of hits', '最多显示多少条结果'],
  ['same as --hits', '同 --hits'],

  ['answer a question from the documents, with citations', '根据文档回答问题，并附引文'],
  [
    'answer from this document or folder only: id, path or base name (may be repeated)',
    '只根据这份文档或文件夹回答：ID、路径或文件名（可多次指定）',
  ],
  [
    'answer from this file only (may be repeated); the file is not added to a collection',
    '只根据这个文件回答（可多次指定）；文件不会加入文档集',
  ],
  [
    'answer many questions from a JSON Lines file with id and question',
    '回答 JSON Lines 文件中的多个问题，每行含 id 和 question',
  ],
  ['continue the most recent conversation, or start a new one', '继续最近的对话；没有时新建一个'],
  ['do not store the answer for --continue', '不保存这次回答，之后无法用 --continue 继续'],
  [
    'how thoroughly to search: split the question into parts and check drafts of the answer',
    '查找的细致程度：把问题拆分后分别查找，并核对回答的草稿',
  ],
  [
    'write a signed receipt of the answer, which verify.html checks',
    '为回答写一份签名凭证，可用 verify.html 验证',
  ],
  ['show the key that signs the receipts of answers', '显示为回答凭证签名的密钥'],
  ['print the public key of this store, to check receipts with', '输出资料库的公钥，用于验证凭证'],
  [
    'write a page with the answer and its sources, and open it in the browser',
    '把回答及其来源写成网页，并在浏览器中打开',
  ],

  [
    'ask questions about the documents, line by line; lines that start with / are commands',
    '逐行就文档提问；以 / 开头的行是命令',
  ],
  ['continue this conversation', '继续这个对话'],
  ['continue the most recent conversation', '继续最近的对话'],

  ['list conversations; show, delete or export one', '列出对话，或查看、删除、导出其中一个'],
  ['maximum number of conversations, most recent first', '最多列出多少个对话，最近的在前'],
  ['list conversations, most recent first', '列出对话，最近的在前'],
  ['maximum number of conversations', '最多列出多少个对话'],
  ['show the questions and answers', '显示问题和回答'],
  ['delete a conversation permanently', '彻底删除一个对话'],
  [
    'export a conversation as Markdown, or with --json all its items',
    '把对话导出为 Markdown；加 --json 则导出全部条目',
  ],
  [
    'write the judged answers as questions for passim eval, one JSON object a line',
    '把评价过的回答写成 passim eval 的问题集，每行一个 JSON 对象',
  ],
  ['file to write (default: stdout)', '要写入的文件（默认为标准输出）'],

  [
    'show what the parser reads in a file, without a store',
    '显示解析器从文件中读到的内容，不需要资料库',
  ],
  ['print Markdown', '输出 Markdown'],
  ['show the chunks of a file, without a store', '显示文件的分块，不需要资料库'],
  [
    'show the tables of a file or document, with the type and unit of each column',
    '显示文件或文档中的表格，以及各列的类型和单位',
  ],
  [
    'file to parse, or the id, path or base name of a document',
    '要解析的文件，或文档的 ID、路径或文件名',
  ],
  ['print one table as CSV, with its cells as written', '把一个表格输出为 CSV，单元格保持原样'],
  ['number of the table, starting at 1', '表格的序号，从 1 开始'],

  ['list documents', '列出文档'],
  ['show a document', '查看一份文档'],
  ['print the parsed text', '输出解析出的文本'],
  ['print the chunks that are indexed', '输出已索引的分块'],
  ['switch a chunk off, or add a note to it', '停用一个分块，或为其添加备注'],
  [
    'id of the chunk, as passim show DOCUMENT --chunks prints it',
    '分块的 ID，见 passim show DOCUMENT --chunks 的输出',
  ],
  ['leave the chunk out of searches and answers', '搜索和回答不再使用该分块'],
  ['use the chunk again', '重新启用该分块'],
  [
    'note that is searched with the chunk and never quoted; empty: none',
    '备注，随分块一起参与搜索，但不会被引用；留空则删除',
  ],
  [
    'delete a document, or a collection and all its documents; passim restore undoes it for a week',
    '删除一份文档，或一个文档集及其全部文档；一周内可用 passim restore 恢复',
  ],
  ['collection to delete, or the collection of the document', '要删除的文档集，或文档所在的文档集'],
  [
    'do not ask for confirmation; required without a terminal for a collection or --now',
    '不再询问确认；没有终端时，删除文档集或使用 --now 必须指定',
  ],
  [
    'delete permanently, including earlier deletions of it; restore is not possible',
    '彻底删除，连同之前删除的版本，无法恢复',
  ],
  ['delete the documents of the collection that match', '删除文档集中符合条件的文档'],
  [
    'with --now: also delete what cites it, search for remains and report them',
    '与 --now 同用：一并删除引用它的内容，查找残留并报告',
  ],
  [
    'with --now --prove: delete all documents, files and conversations',
    '与 --now --prove 同用：删除所有文档、文件和对话',
  ],
  [
    'restore a deleted document or collection, or list what can be restored',
    '恢复已删除的文档或文档集，或列出可恢复的内容',
  ],
  [
    'collection to restore, or the collection of the document',
    '要恢复的文档集，或文档所在的文档集',
  ],
  ['name for the restored collection', '恢复后的文档集名称'],

  [
    'list, create or delete collections, change their embedding model or index engine',
    '列出、创建或删除文档集，更换其向量模型或索引引擎',
  ],
  ['create an empty collection', '创建一个空的文档集'],
  ['tokens per chunk', '每个分块的 token 数'],
  ['share of each chunk that the next one repeats, 0 to 0.5', '相邻分块的重叠比例，0 到 0.5'],
  [
    'embedding model: one from the settings embedder and embedders, the built-in one, or none',
    '向量模型：设置 embedder 和 embedders 中的一个、内置模型，或 none（不用）',
  ],
  ['engine of its index', '索引引擎'],
  [
    'delete a collection and all its documents; same as passim delete -c',
    '删除一个文档集及其全部文档；同 passim delete -c',
  ],
  ['delete permanently; restore is not possible', '彻底删除，无法恢复'],
  [
    'embed a collection with another model; search uses the old vectors until the new ones are complete',
    '用另一个模型为文档集重新生成向量；新向量齐全之前，搜索仍用旧向量',
  ],
  [
    'move the index of a collection to another engine; search uses the old index until the move is complete',
    '把文档集的索引迁移到另一个引擎；迁移完成之前，搜索仍用旧索引',
  ],

  [
    'show, set or clear the synonyms that search adds to a query',
    '查看、设置或清除搜索时使用的同义词',
  ],
  [
    'replace the synonyms by those of a file; the next search uses them',
    '用文件中的同义词替换现有的，下次搜索即生效',
  ],
  ['remove all synonyms of the collection', '清除文档集的全部同义词'],

  [
    'list the sources of the settings, or bring their collections up to date',
    '列出设置中的来源，或使其文档集与来源同步',
  ],
  [
    'index what changed at these sources, and remove what is gone',
    '索引这些来源中有变化的内容，并移除已不存在的内容',
  ],
  [
    'delete the documents of a source; first take it out of the settings',
    '删除某个来源的文档；请先从设置中移除该来源',
  ],
  ['sources of the settings (default: all)', '设置中的来源（默认：全部）'],
  ['remove the documents of a source that is empty', '来源为空时，移除其文档'],

  ['list jobs, cancel or retry one', '列出任务，或取消、重试其中一个'],
  ['only jobs of this collection', '只列出这个文档集的任务'],
  ['maximum number of jobs, newest first', '最多列出多少个任务，最新的在前'],
  ['cancel a job; the version published before stays', '取消一个任务；文档保留之前已发布的版本'],
  ['retry a failed or cancelled job', '重试失败或已取消的任务'],

  ['list, create or revoke keys of the service', '列出、创建或吊销服务的密钥'],
  ['list keys, without their secrets', '列出密钥，不显示其内容'],
  ['create a key; its secret is shown only once', '创建一个密钥，其内容只显示一次'],
  ['name of the key', '密钥的名称'],
  ['tenant whose store the key opens', '密钥所属的租户，只能访问该租户的资料库'],
  ['permission of the key', '密钥的权限'],
  [
    'only collection that the key sees (may be repeated); needs --scope read',
    '密钥能看到的文档集（可多次指定），须同时指定 --scope read',
  ],
  [
    'condition of the documents that the key sees; needs --scope read',
    '密钥能看到的文档须满足的条件，须同时指定 --scope read',
  ],
  ['revoke a key and end its requests within a second', '吊销一个密钥，一秒内中止其请求'],

  ['serve the page and the HTTP API', '提供网页和 HTTP API 服务'],
  ['address to listen on (default 127.0.0.1)', '监听的地址（默认为 127.0.0.1）'],
  ['port to listen on (default 7700)', '监听的端口（默认为 7700）'],
  ['do not index uploads; leave them to passim work', '不索引上传的文件，交给 passim work'],
  ['open the page in the browser', '在浏览器中打开网页'],
  [
    'index queued documents and answer batches for services, until stopped',
    '为各服务索引排队的文档并运行批处理，直到停止',
  ],
  [
    'serve the documents to agents over MCP, on stdio or HTTP',
    '通过 MCP（标准输入输出或 HTTP）向智能体提供文档',
  ],
  [
    'serve over HTTP on 127.0.0.1 instead of stdio',
    '通过 127.0.0.1 上的 HTTP 提供服务，而不是标准输入输出',
  ],
  ['port for --http (default 7701)', '--http 使用的端口（默认为 7701）'],
  ['collection to offer (may be repeated)', '要提供的文档集（可多次指定）'],

  [
    'measure search on a judged set, or answers on a set of questions',
    '用标注过的评测集衡量搜索质量，或用问题集衡量回答质量',
  ],
  [
    'embedding model of the settings; with several, each is compared with the first, query by query',
    '设置中的向量模型；指定多个时，逐条查询与第一个比较',
  ],
  ['write the rankings to PREFIX.<mode>.tsv', '把排序结果写入 PREFIX.<mode>.tsv'],
  [
    'compare with PREFIX.<mode>.tsv of an earlier --run, query by query',
    '逐条查询与之前用 --run 写下的 PREFIX.<mode>.tsv 比较',
  ],
  ['use only the first N queries', '只用前 N 条查询'],
  ['use only the judged passages and N others', '只用标注过的段落和另外 N 个段落'],
  ['answer without the configured model', '回答时不使用所配置的模型'],

  ['check the audit log of the service', '检查服务的审计日志'],
  ['report missing or changed lines of the audit log', '报告审计日志中缺失或被更改的行'],
  ['check catalog, files and index for consistency', '检查目录库、文件和索引是否一致'],
  ['rebuild damaged parts from stored data', '用已保存的数据重建损坏的部分'],
  [
    'write a backup of the store to one file, while the store stays in use',
    '把资料库备份到一个文件，期间资料库可照常使用',
  ],
  ['file to create; it must not exist', '要创建的文件，不能已存在'],
  ['create a store from a backup', '用备份新建资料库'],
  ['backup written by passim export', '由 passim export 写出的备份'],
  ['show what works on this machine', '显示本机上哪些功能可用'],
  [
    'also send two short requests to the chat model, to see what it can do',
    '并向对话模型发送两个简短的请求，看它支持哪些功能',
  ],
  [
    'move the store, the stores of tenants and the keys into the PostgreSQL database of catalog.url',
    '把资料库、各租户的资料库和密钥迁移到 catalog.url 所指的 PostgreSQL 数据库',
  ],
  ['destination', '迁移目标'],
])

export function translateHelp(text: string): string {
  return HELP.get(text) ?? text
}
