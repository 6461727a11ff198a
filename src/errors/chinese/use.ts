/** 命令、设置和查询的错误：以英文模板为键。 */
export const zhUseMessages: Readonly<Record<string, string>> = {
  'The operator of this service has set the chat model, so it cannot be changed here.':
    '对话模型已由本服务的运维人员设定，不能在此修改。',
  'Several nodes share the database, so the chat model is set in the settings of each: model.url and model.name.':
    '多个节点共用数据库，因此对话模型在每个节点的设置中设定：model.url 和 model.name。',
  'The model did not answer two short requests within {0} s. Try again once its server has loaded it.':
    '模型未能在 {0} 秒内回答两个简短的请求。请等服务器加载好模型后再试。',
  'Change model.url and model.name in the settings file or the environment.':
    '请在设置文件或环境变量中修改 model.url 和 model.name。',
  '{0} is not indexed: {1} ({2})': '{0} 尚未索引：{1}（{2}）',
  '{0} is not indexed.': '{0} 尚未索引。',
  '{0} does not meet the filter, or is not named.': '{0} 不符合筛选条件，或不在指定的文档之列。',
  '{0} is {1}': '{0} {1}',
  'hit {0}.': '是第 {0} 条结果。',
  'folded into hit {0}, which has the same passage.': '已并入第 {0} 条结果，两者段落相同。',
  '{0} is left out: {1}': '{0} 未列出：{1}',
  '{0} contains none of the terms, and has no vectors or no such pages.':
    '{0} 不含任何查询词语，也没有向量或没有指定的页。',
  '{0} is below the {1} hits: {2}.': '{0} 排在这 {1} 条结果之后：{2}。',
  'by {0} its best passage is number {1}': '按{0}其最佳段落排第 {1} 位',
  'by {0} its best passage is beyond number {1}': '按{0}其最佳段落在第 {1} 位之后',
  'by {0} it is not found': '按{0}没有找到',
  '{0}, {1}': '{0}，{1}',
  'There is a table {0} of no collection.': '索引中的表 {0} 不属于任何文档集。',
  '{0} stored contents belong to no document.': '保存的内容中有 {0} 份不属于任何文档。',
  'The index of {0} has rows of {1} unknown versions.': '{0} 的索引中有 {1} 个未知版本的行。',
  'The index has {0} of {1} chunks of {2}.': '{2} 的 {1} 个分块中，索引只有 {0} 个。',
  'The stored bytes of {0} are missing. {1}': '{0} 保存的内容缺失。{1}',
  'The stored bytes of {0} are damaged. {1}': '{0} 保存的内容已损坏。{1}',
  'The vectors of {0} are {1}.': '{0} 的向量{1}。',
  'The parsed text of {0} is missing or damaged.': '{0} 解析出的文本缺失或已损坏。',
  'The index of {0} cannot be read: {1}': '无法读取 {0} 的索引：{1}',
  'The paths: {0}{1}.': '路径：{0}{1}。',
  '{0} documents are called {1}: {2}{3}. Give the id, the collection or the path.':
    '有 {0} 份文档名为 {1}：{2}{3}。请指定 ID、文档集或路径。',
  'There are: {0}, and {1} more.': '现有：{0} 等，另有 {1} 个。',
  'To list what can be restored, run passim restore. A backup is read by passim import.':
    '可用 passim restore 查看能恢复的内容；备份文件请用 passim import 导入。',
  '{0} has no address: set {1}.urls first.': '没有设置 {0} 的地址：请先设置 {1}.urls。',
  'No target database is configured.': '没有配置要迁移到的数据库。',
  'No server is configured for model {0}. Ask without a model.':
    '没有为模型 {0} 配置服务器，请不用模型提问。',
  'after "{0}"': '“{0}”之后',
  'collection {0}': '文档集 {0}',
  'effort needs a chat model. Configure one, or omit effort.':
    'effort 只适用于由对话模型作答：请配置模型，或去掉这一项。',
  '{0} cannot be combined with a stored conversation.': '{0} 不能用于已保存的对话。',
  'To use one, set PASSIM_MODEL_URL.': '要使用模型，请设置 PASSIM_MODEL_URL。',
  '{0} cannot be reached. Is it running, and is model.url right?':
    '无法连接 {0}。请检查它是否在运行，以及 model.url 是否正确。',
  '{0} refuses the key ({1}). Check model.key.': '{0} 拒绝了密钥（{1}）。请检查 model.key。',
  'A collection needs a name.': '文档集必须有名称。',
  'There is a collection {0} already.': '已有文档集 {0}。',
  'Two files have the external_id {0}.': '两个文件的 external_id 同为 {0}。',
  '{0} collections are called {1}: {2}. Give the id of one.':
    '有 {0} 个文档集名为 {1}：{2}。请指定其中一个的 ID。',
  'There is no collection with the id or name {0}.': '没有 ID 或名称为 {0} 的文档集。',
  'The collection {0} has expired, and its contents were deleted. Create another one.':
    '文档集 {0} 已过期，其中的内容已删除。请新建一个。',
  'A document has exactly one content: a file, a text or records.':
    '文档只能有一种内容：文件、文本或记录。',
  '{0} is not a web address. It must begin with http:// or https://.':
    '{0} 不是网址：网址以 http:// 或 https:// 开头。',
  'There is no document {0}.': '没有文档 {0}。',
  'See passim list.': '可用 passim list 查看。',
  'There is no collection {0}.': '没有文档集 {0}。',
  'A document has at most {0} attributes.': '一份文档最多有 {0} 个属性。',
  'The document was deleted while it was stored. Send it again.':
    '写入期间文档被删除。请重新写入。',
  'There is no document {0} in {1}.': '{1} 中没有文档 {0}。',
  'The event {0} is no longer stored, so later ones may be missing. Compare with the list of documents, then continue with after={1}.':
    '事件 {0} 已不再保存，之后的事件可能有缺失。请先与文档列表核对，再用 after={1} 继续。',
  'It answered with status {0}.': '对方以状态 {0} 应答。',
  'There is no file {0}.': '没有文件 {0}。',
  'There is no batch {0}.': '没有批处理 {0}。',
  'Batch {0} cannot be cancelled: it is {1}.': '批处理 {0} 无法取消：其状态为 {1}。',
  '{0} batches are under way. Create others when one has ended.':
    '已有 {0} 个批处理在进行。请等其中一个结束后再创建。',
  'File {0} has the purpose {1}. Upload the requests with the purpose batch.':
    '文件 {0} 的用途为 {1}。请以 batch 用途上传请求文件。',
  'File {0} has more than {1} bytes. Divide it into several batches.':
    '文件 {0} 超过 {1} 字节。请拆分成几个批处理。',
  'There is no file batch {0} in collection {1}.': '文档集 {1} 中没有文件批次 {0}。',
  'A document has exactly one content: text, markdown, html or records.':
    '文档必须且只能有一种内容：text、markdown、html 或 records。',
  'The content of the document is empty.': '文档的内容为空。',
  'The records have {0} different keys, but a table has at most {1} columns. Split them into several documents.':
    '这些记录共有 {0} 个不同的键，而表格最多有 {1} 列。请分成几份文档。',
  'A page is drawn by its number, from 1, and 1 to {0} pixels wide.':
    '绘制页面须指定页码（从 1 开始）和宽度（1 到 {0} 像素）。',
  '{0} has no pages: its format has none, or it is not indexed. Read its text.':
    '{0} 没有页面：这种格式不分页，或文档尚未索引。请查看其文本。',
  '{0} has no page {1}: it has {2}.': '{0} 没有第 {1} 页：它有 {2}。',
  'There is no passage with start {0} and end {1}: the text has {2} characters, and a passage 1 to {3}.':
    '没有起点为 {0}、终点为 {1} 的段落：文本有 {2} 个字符，一个段落为 1 到 {3} 个字符。',
  'No deletion of {0} can be undone.': '没有可恢复的 {0}。',
  'Several deleted documents have the name {0}: {1}. Give the path, the collection or the id.':
    '有几个同名的 {0}：{1}。请指定路径、文档集或 ID。',
  'There is no collection {0}. {1}': '没有文档集 {0}。{1}',
  'There is no document with the id {0}.': '没有 ID 为 {0} 的文档。',
  'There is no document and no folder of documents {0}.': '没有名为 {0} 的文档或文档文件夹。',
  'There is no upload {0}: it may have expired. Start another one.':
    '没有上传任务 {0}，可能已过期。请重新开始。',
  'Upload {0} has {1} parts already, which is the maximum. Send larger parts.':
    '上传任务 {0} 已有 {1} 个分段。请增大每个分段。',
  'Upload {0} has no part {1}.': '上传任务 {0} 没有分段 {1}。',
  'The parts named have {0} bytes together, and upload {1} was to have {2}. Name every part, in order.':
    '列出的分段共 {0} 字节，而上传任务 {1} 应有 {2} 字节。请按顺序列出全部分段。',
  'Upload {0} has the MD5 {1}, not {2}: send the parts again.':
    '上传任务 {0} 的 MD5 是 {1}，不是 {2}：请重新发送各分段。',
  'The models are being closed.': '模型正在关闭。',
  'There is no embedder {0}. There are: {1}. Setting embedders adds others.':
    '没有向量模型 {0}。可用的有：{1}。可在设置 embedders 中添加其他模型。',
  'The collection {0} is embedded with {1}, which is not among the configured models. Keyword search works as it is.':
    '文档集 {0} 的向量由 {1} 生成，而该模型未配置。仍可按关键词搜索。',
  'Add the model to the setting embedders, or change the collection: passim collections re-embed {0} --embedder ID, where ID is {1}.':
    '请把该模型加入设置 embedders，或为文档集更换模型：passim collections re-embed {0} --embedder ID，其中 ID 为 {1}。',
  'There is no embedding model {0} in {1}. Nothing is downloaded: give the path of a model folder.':
    '{1} 中没有向量模型 {0}。程序不会下载模型：请给出模型文件夹的路径。',
  '{0} {1}': '{0}{1}',
  '{0} {1}.': '{0}{1}。',
  'The model {0} at {1}{2}': '{1}{2} 上的模型 {0} ',
  '{0} sent nothing for {1} s.': '{0}已 {1} 秒没有发送任何内容。',
  'Check that its server works. If it needs more time, raise model.timeoutMs.':
    '请检查它的服务器是否正常。如果它需要更多时间，请调高 model.timeoutMs。',
  'did not answer as a chat model. Check that the URL is the base of an OpenAI-compatible API':
    '的回复不是对话模型的格式。请检查网址是否为兼容 OpenAI 的 API 的根地址',
  'answered with more than {0} characters. Limit its answers (max_tokens)':
    '的回复超过 {0} 个字符。请限制其长度（max_tokens）',
  'sent an invalid chat completion: {0}': '发送的内容无效：{0}',
  'failed: {0}': '出错：{0}',
  'closed the connection before it answered. Check the URL, and the log of the server':
    '在回复之前断开了连接。请检查网址和服务器的日志',
  'cannot be reached: {0}. Check the URL, and that the server runs':
    '无法连接：{0}。请检查网址，以及服务器是否在运行',
  'closed the connection in the middle of its answer{0}. Try again':
    '在回复中途断开了连接{0}。请重试',
  'answered {0}: {1}': '返回 {0}：{1}',
  '{0} accepts no more requests now: {1}. Try again {2}.': '{0}暂不接受更多请求：{1}。请{2}重试。',
  later: '稍后',
  'in {0} s': '在 {0} 秒后',
  '{0} {1} in 1 document': '{0}{1}（1 份文档）',
  '{0} {1} in {2} documents': '{0}{1}（{2} 份文档）',
  'passim show NAME --chunks lists the chunks of a document.':
    '可用 passim show NAME --chunks 查看一份文档的分块。',
  'passim show NAME lists those of a document.': '可用 passim show NAME 查看一份文档的明细。',
  'When the server answers, run passim collections re-embed {0} --embedder MODEL, and index again without --no-vectors.':
    '服务器恢复后，请运行 passim collections re-embed {0} --embedder MODEL，再去掉 --no-vectors 重新索引。',
  'The collection {0} is created for keyword search only. {1}':
    '新建的文档集 {0} 只能按关键词搜索。{1}',
  'The setting embedder.pooling applies to local models only. With embedder.url, the server pools.':
    '设置 embedder.pooling 只用于本地模型：使用 embedder.url 时由服务器处理。',
  'The setting embedder.url needs embedder.name, the name of the model on that server.':
    '设置了 embedder.url，还须用 embedder.name 指定模型。',
  '{0}: {1} {2}.': '{0}：{1} {2}。',
  'There is no {0}: an evaluation folder has corpus.jsonl, queries.jsonl and qrels.tsv, or docs/ and questions.jsonl.':
    '没有 {0}：评测文件夹须有 corpus.jsonl、queries.jsonl 和 qrels.tsv，或 docs/ 和 questions.jsonl。',
  'Rankings are written and compared for one model: name one --embedder with --run or --compare.':
    '排序结果只能针对一个模型写入和比较：使用 --run 或 --compare 时只能指定一个 --embedder。',
  'There is no run {0}.': '没有评测结果 {0}。',
  'To write one, run passim eval DIR --run PREFIX.':
    '要写出一份，请运行 passim eval DIR --run PREFIX。',
  '{0}, line {1}: expected query, document, rank and score.':
    '{0} 第 {1} 行：应为查询、文档、名次和得分。',
  '{0} contains no question.': '{0} 中没有问题。',
  '{0}, question {1}: answerable, but "must_include" is empty.':
    '{0} 的问题 {1} 标为可回答，但 "must_include" 为空。',
  '{0}, question {1}: "answerable" is missing.': '{0} 的问题 {1} 缺少 "answerable"。',
  'Will not read {0}: {1}. Name a document, or allow its folder (roots).':
    '不会读取 {0}：{1}。请指定一份文档，或允许访问其所在文件夹（roots）。',
  'To resume it, run passim jobs retry; passim jobs lists what was cancelled.':
    '要继续，请运行 passim jobs retry；可用 passim jobs 查看已取消的任务。',
  'Indexing {0} was cancelled.': '{0} 的索引已取消。',
  '{0} is a folder. Give one file.': '{0} 是文件夹。请指定一个文件。',
  'The contents of the store {0} lie in an S3 store. Set content.place to s3, and s3.url as it was.':
    '资料库 {0} 的内容存放在 S3 中。请把 content.place 设为 s3，并恢复原来的 s3.url。',
  'Nothing to index: name a file, a folder or a URL.':
    '没有要索引的内容：请指定文件、文件夹或网址。',
  'The external_id of the document is {0} and cannot be changed.':
    '文档的 external_id 是 {0}，不能更改。',
  'The question does not fit the {0} tokens of model.maxInputTokens beside its sources. It was indexed and searched like a file; the model read its first and last words and the passages found.':
    '问题连同来源超出了 model.maxInputTokens 的 {0} 个 token，因此已像文件一样索引并检索；模型读到的是问题的首尾和找到的段落。',
  'Give a quotation or a file.': '请给出引文或文件。',
  'Give a quotation or a file, not both.': '引文和文件只能给出一个。',
  '{0} places: choose 1 to {1}.': '不能显示 {0} 处：请在 1 到 {1} 之间选择。',
  'The quotation has {0} characters; give at most {1}, such as a few sentences of it.':
    '引文有 {0} 个字符，最多 {1} 个。请只给出其中几句。',
  'The quotation is too short: give at least {0} letters or digits.':
    '引文太短：至少要有 {0} 个字母或数字。',
  'No text was found in {0}.': '{0} 中没有找到文字。',
  'passim index PATH or passim serve continues indexing; passim jobs shows the progress.':
    '运行 passim index PATH 或 passim serve 可继续索引；可用 passim jobs 查看进度。',
  'An answer was found, but it is too unsure: at most {0} of answers may be wrong. So {1} of test questions are answered, instead of {2}.':
    '找到了回答，但不够可靠：最多允许 {0} 的回答有错。因此测试问题中只回答 {1}，不限时为 {2}。',
  'At most {0} of confirmed sentences may be wrong. So {1} of test sentences, half of them wrong, are confirmed, instead of {2}.':
    '已证实的句子中最多允许 {0} 有错。因此测试句子（一半有错）中只有 {1} 得到证实，不限时为 {2}。',
  'Cannot read the calibration {0}.': '无法读取校准文件 {0}。',
  'not limited': '不限',
  '{0} instead of {1}': '{0}（不限时为 {1}）',
  'at most {0} of answers without a model are wrong; answered of English test questions {1}, of Chinese ones {2}; confirmed of English test sentences {3}, of Chinese ones {4}':
    '不用模型的回答中至多 {0} 有错；英文测试问题中回答 {1}，中文测试问题中回答 {2}；英文测试句子中证实 {3}，中文测试句子中证实 {4}',
  'passim eval DIR --extractive --calibration FILE writes such a file.':
    '运行 passim eval DIR --extractive --calibration FILE 可写出这样的文件。',
  '{0} cannot be found yet.': '{0}尚未索引，暂时搜索不到。',
  '{0} can be found by keyword, but not by meaning yet.':
    '{0}目前只能按关键词搜到，还不能按语义搜到。',
  'The setting reranker.url needs reranker.name, the name of the model on that server.':
    '设置了 reranker.url，还须用 reranker.name 指定模型。',
  'Setting reranker needs id, a model folder, or url and name.':
    '设置 reranker 须有 id（模型文件夹），或者 url 和 name。',
  '{0} has no vectors: search it by keyword.': '{0} 没有向量，请按关键词搜索。',
  'To add vectors, run passim collections re-embed {0} --embedder ID.':
    '要添加向量，请运行 passim collections re-embed {0} --embedder ID。',
  'None of these documents has the attribute {0}, which the filter asks for. There are: {1}.':
    '这些文档都没有筛选条件中的属性 {0}。已有的属性：{1}。',
  '{0} has {1} characters: at most {2} can be searched for.':
    '{0}有 {1} 个字符，最多只能搜索 {2} 个。',
  'There is no skill {0}. {1}': '没有技能 {0}。{1}',
  'The backup {0} is damaged. Use another one.': '备份 {0} 已损坏。请换一份备份。',
  '{0} is not a backup of Passim, or is incomplete. Choose another file.':
    '{0} 不是 Passim 的备份，或者不完整。请选择其他文件。',
  'Backups are written by passim export.': '备份由 passim export 写出。',
  'The file {0} already exists. Choose another name.': '文件 {0} 已存在。请换一个名称。',
  'There is no folder {0} to write a backup to. Create it first.':
    '没有用于存放备份的文件夹 {0}。请先创建。',
  'The backup contains a store of format {0}; this program reads up to {1}. Upgrade passim.':
    '备份中资料库的格式为 {0}，本程序最高支持 {1}。请升级 passim。',
  'The catalog in the backup is damaged: {0}. Use another backup.':
    '备份中的目录库已损坏：{0}。请换一份备份。',
  'There is no file {0}. Check the path.': '没有文件 {0}。请检查路径。',
  'The backup holds a file with the name {0}, which no store has.':
    '备份中有名为 {0} 的文件，而资料库中不会有这样的文件。',
  'The backup is damaged: {0} differs from what was stored. Use another backup.':
    '备份已损坏：{0} 与当初保存的不一致。请换一份备份。',
  'Setting {0} is s3: that needs s3.url, s3.bucket and its keys.':
    '设置 {0} 为 s3，还须有 s3.url、s3.bucket 及其密钥。',
  '{0} does not contain the contents of this store. Set s3.url, s3.bucket and s3.prefix as they were.':
    '{0} 中没有这个资料库的内容。请恢复原来的 s3.url、s3.bucket 和 s3.prefix。',
  '{0} was moved to a database.': '{0} 已迁移到数据库。',
  'Use the settings of that migration, for example with --config. To start a new store here instead, remove {0}{1}.':
    '请使用迁移时的设置，例如用 --config 指定。要改为在此处新建资料库，请删除 {0}{1}。',
  '{0} is being migrated to a database, or its migration was interrupted.':
    '{0} 正在迁移到数据库，或迁移曾被中断。',
  'Run passim migrate again, with the same catalog.url and catalog.schema. If that database is lost, rename {0}{1} to {2}.':
    '请用相同的 catalog.url 和 catalog.schema 再次运行 passim migrate。如果该数据库已丢失，请把 {0}{1} 改名为 {2}。',
  'The home {0} already contains a store of its own.': '{0} 中已有另一个资料库。',
  'Move it into the database with passim migrate, or use another home.':
    '请用 passim migrate 把它迁移到数据库，或使用其他文件夹。',
  'There is no store in {0}.': '{0} 中没有资料库。',
  'To create one, run passim index PATH. If the store is in another folder, name that with --home or PASSIM_HOME; if it is on another disk, mount that first.':
    '要新建资料库，请运行 passim index PATH。如果资料库在其他文件夹，请用 --home 或 PASSIM_HOME 指定；如果在其他磁盘上，请先挂载。',
  'The store {0} has lost its catalog: there is no {1}, but there are documents. Put it back from a backup, or remove the folders content and index and index the documents again.':
    '资料库 {0} 的目录库已丢失：{1} 不存在，但还有文档。请从备份恢复；或者删除 content 和 index 文件夹，重新索引文档。',
  'Cannot use {0} as a store: {1}.': '无法把 {0} 用作资料库：{1}。',
  'Choose another folder with --home or PASSIM_HOME.':
    '请用 --home 或 PASSIM_HOME 指定其他文件夹。',
  'The store {0} is on the disk mounted at {1}, which is not mounted now. Mount it.':
    '资料库 {0} 所在的磁盘应挂载于 {1}，目前没有挂载。请先挂载。',
  'Or use another store with --home or PASSIM_HOME. To start a new one here, remove {0}.':
    '也可用 --home 或 PASSIM_HOME 指定其他资料库。要在此处新建，请删除 {0}。',
  '{0} (conversations.hooks): check and charge have to be functions.':
    '{0}（conversations.hooks）中的 check 和 charge 必须是函数。',
  'The module {0} (conversations.hooks) cannot be loaded: {1}.':
    '无法加载模块 {0}（conversations.hooks）：{1}。',
  'The key {0} was revoked, so its request was ended.': '密钥 {0} 已被吊销，其请求已中止。',
  'A key with collections or a filter can only read: give it the scope read.':
    '限定了文档集或条件的密钥只能读取：请使用权限 read。',
  'The token is refused: {0}.': '令牌被拒绝：{0}。',
  'A collection whose index is in Weaviate cannot be searched with this key, which sees a part of it only.':
    '该密钥只能看到文档集的一部分，不能搜索索引在 Weaviate 中的文档集。',
  'This key sees a part of the store only, so it stores nothing. Ask without files and without a conversation.':
    '该密钥只能看到资料库的一部分，不能存储任何内容。提问时请不要附带文件或指定对话。',
  'The keys in {0} are not in the database yet.': '{0} 中的密钥尚未迁移到数据库。',
  'To move them there, run passim migrate.': '要迁移，请运行 passim migrate。',
  'The first key must have the scope admin and the tenant {0}: once it exists, every request needs a key, and only such a key can create others.':
    '第一个密钥的权限须为 admin，租户须为 {0}：有了密钥之后，所有请求都需要密钥，而只有这样的密钥才能创建其他密钥。',
  'Tenant {0}: use up to 63 small letters, digits and hyphens.':
    '租户 {0} 的名称无效：只能用小写字母、数字和连字符，最多 63 个字符。',
  'There is no key {0}.': '没有密钥 {0}。',
  'There is no link {0}.': '没有链接 {0}。',
  'A conversation has at most {0} links. Revoke one first.':
    '一个对话最多有 {0} 个链接，请先吊销一个。',
  'This link does not exist, has expired or was revoked.': '此链接不存在、已过期或已被吊销。',
  'The operator of this service does not allow links to conversations (server.sharedLinkDays is 0).':
    '此服务的运维人员不允许分享对话链接（server.sharedLinkDays 为 0）。',
  'See passim keys list.': '可用 passim keys list 查看。',
  'Set catalog.url or PASSIM_CATALOG_URL.': '请设置 catalog.url 或 PASSIM_CATALOG_URL。',
  'There are {0}, but only one can be migrated. Move the others away.':
    '同时有 {0}，只能迁移其中一个。请移走其余的。',
  'Another process has {0} open. Stop it, and try again.':
    '另一个进程正在使用 {0}。请停止该进程后再试。',
  'It may be passim serve, passim mcp or passim work.':
    '可能是 passim serve、passim mcp 或 passim work。',
  'The server is shutting down. Ask again in a moment.': '服务正在关闭。请稍后再试。',
  'Too many stores are in use at once. Try again in a moment.':
    '同时使用的资料库过多。请稍后再试。',
  'Tenant {0}: its name can have at most {1} characters in this database.':
    '租户 {0} 的名称过长：在这个数据库中最多 {1} 个字符。',
  'There can be no tenant {0}.': '租户名称不能是 {0}。',
  'The agent ended without an answer.': '智能体没有给出回答就结束了。',
  'Provide a question, or --questions FILE.': '请给出问题，或用 --questions 指定文件。',
  '--continue cannot be combined with --file or --questions.':
    '--continue 不能与 --file 或 --questions 同时使用。',
  '--receipt cannot be combined with --questions.': '--receipt 不能与 --questions 同时使用。',
  '{0} was changed or deleted after this answer, which can no longer be proven. Ask again.':
    '{0} 在这次回答之后被修改或删除，这个回答已无法证明。请重新提问。',
  'There is no answer {0}.': '没有回答 {0}。',
  'The answer {0} is not complete.': '回答 {0} 尚未完成。',
  'Say what to change: --off, --on or --note TEXT.':
    '请说明要更改什么：--off、--on 或 --note TEXT。',
  '--off cannot be combined with --on.': '--off 不能与 --on 同时使用。',
  '--document cannot be combined with --file.': '--document 不能与 --file 同时使用。',
  '{0} is a folder. Provide a file of questions.': '{0} 是文件夹。请指定一个问题文件。',
  'No question in this line: {0}. Each line must be {"id": …, "question": …}.':
    '这一行没有问题：{0}。每一行须为 {"id": …, "question": …}。',
  '{0} already exists. Choose another file.': '{0} 已存在。请换一个文件。',
  'Provide a document, or a collection with -c.': '请指定文档，或用 -c 指定文档集。',
  'Use -c NAME without a document; --as sets its new name.':
    '请只用 -c 指定文档集，不要指定文档；--as 用于设置恢复后的名称。',
  'There is no collection {0}. Run passim collections to list them.':
    '没有文档集 {0}。可用 passim collections 查看。',
  'Use --prove with --now.': '--prove 须与 --now 同用。',
  'Use --filter with -c NAME, without a document or --prove.':
    '--filter 须与 -c NAME 同用，且不带文档和 --prove。',
  'Use --prove with one document.': '--prove 一次只能用于一个文档。',
  'Use --all alone, with --now --prove.': '--all 须单独使用，并加 --now --prove。',
  '{0} Nothing was deleted. Add --yes to confirm without a terminal.':
    '{0}没有删除任何内容。没有终端时，请加 --yes 确认。',
  'Nothing was deleted: the name does not match.': '没有删除任何内容：名称不符。',
  '--embedder is for retrieval sets: questions over documents are asked by the configured model.':
    '--embedder 只用于检索评测集：针对文档的问题由所配置的模型回答。',
  '--watch and --dry-run cannot be combined.': '--watch 不能与 --dry-run 同时使用。',
  '{0} is not installed, so no store can be opened; passim parse still works. In the folder of Passim, run npm install --no-save {1}':
    '没有安装 {0}，因此无法打开资料库；passim parse 仍可使用。请在 Passim 的文件夹中运行 npm install --no-save {1}',
  '{0} is not UTF-8. Save it as UTF-8.': '{0} 不是 UTF-8 编码。请另存为 UTF-8。',
  '{0} has more than {1} bytes. Remove some lines.': '{0} 超过 {1} 字节。请删去一些行。',
  '{0} has no table {1}, only {2}.': '{0} 没有表格 {1}，只有 {2} 个表格。',
  '{0} has no tables.': '{0} 中没有表格。',
  '{0} has {1} tables. Choose one with --table: {2}.':
    '{0} 有 {1} 个表格。请用 --table 选择一个：{2}。',
  'Unknown setting {0}{1}. Check its spelling.': '未知的设置 {0}{1}。请检查拼写。',
  'Setting {0} {1}.': '设置 {0} 有误：{1}。',
  'in {0}{1} {2}': '{2}（出处：{0}{1}）',
  ' in {0}': '（{0}）',
  'is required together with the settings beside it{0}': '与同组的其他设置必须一起填写{0}',
  'the arguments': '命令行参数',
  'the environment': '环境变量',
  'There is no settings file {0}.': '没有设置文件 {0}。',
  'The settings file {0} contains no settings. A setting is a line such as "home: ~/papers".':
    '设置文件 {0} 中没有设置：每个设置占一行，例如 "home: ~/papers"。',
  'Cannot read the settings file {0}: it is not valid YAML at {1}.':
    '无法读取设置文件 {0}：{1} 处不是有效的 YAML。',
  'Cannot read the settings file {0}: {1}.': '无法读取设置文件 {0}：{1}。',
  'There are: {0}.': '现有：{0}。',
  'There are no files to read in {0}. Files of all formats that Passim knows are read, also in folders below it (PDF, Word, Excel, PowerPoint, HTML, e-mail, text, pictures and others), except those whose name begins with a dot, or that .gitignore, .passimignore, include or exclude leave out.':
    '{0} 中没有可读取的文件。Passim 会读取文件夹及其子文件夹中所有支持的格式（PDF、Word、Excel、PowerPoint、HTML、邮件、文本、图片等），但不包括名称以点开头的文件，以及 .gitignore、.passimignore、include 或 exclude 排除的文件。',
  '{0} document': '有 {0} 份文档',
  '{0} documents': '有 {0} 份文档',
}
