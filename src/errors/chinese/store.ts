/** 资料库、模型和索引的错误：以英文模板为键。 */
export const zhStoreMessages: Readonly<Record<string, string>> = {
  'Another process is importing into {0} now. Wait until it ends.':
    '另一个进程正在导入到 {0}，请等它结束。',
  'There is a store in {0} already.': '{0} 中已有资料库。',
  'There is content of a store in {0} already.': '{0} 中已有资料库的内容。',
  'Name a folder without a store with --home or PASSIM_HOME.':
    '请用 --home 或 PASSIM_HOME 指定一个没有资料库的文件夹。',
  'The database of the catalog {0} stores texts as {1}; it must be UTF8.':
    '目录库 {0} 所在的数据库用 {1} 编码存储文本，须为 UTF8。',
  "Create one with CREATE DATABASE passim ENCODING 'UTF8' TEMPLATE template0, and name it in catalog.url.":
    "请用 CREATE DATABASE passim ENCODING 'UTF8' TEMPLATE template0 创建一个数据库，并在 catalog.url 中指定。",
  'The operation was cancelled.': '操作已取消。',
  'Cannot use {0}: {1}. Check its permissions.': '无法使用 {0}：{1}。请检查其权限。',
  'Cannot use {0}: {1}.': '无法使用 {0}：{1}。',
  'Its weights read {0}: export them for feature extraction, without a cache.':
    '模型权重需要输入 {0}：请按特征提取导出，不带缓存。',
  'Its weights give no sentence_embedding. {0}': '模型权重不输出 sentence_embedding。{0}',
  'Its weights give numbers of type {0}: use weights that give float32.':
    '模型权重输出的数字类型为 {0}：请换用输出 float32 的权重。',
  'It gives vectors of {0} numbers. {1}': '模型输出的向量有 {0} 个数字。{1}',
  "Cannot read {0} of the embedding model. Check the model's directory.":
    '无法读取向量模型的 {0}。请检查模型的文件夹。',
  'The embedder {0} is closed.': '向量模型 {0} 已关闭。',
  'The embedder {0} was closed.': '向量模型 {0} 被关闭。',
  'Setting embedder.maxTokens leaves no room for passages: {0}.':
    '设置 embedder.maxTokens 没有给段落留出空间：{0}。',
  'The embedding model failed: {0}': '向量模型出错：{0}',
  "The embedding model's process died twice on one text ({0}). Check memory and the model's files.":
    '向量模型的进程在同一段文本上两次崩溃（{0}）。请检查内存和模型文件。',
  'There is none of {0} in {1}. {2}': '{1} 中没有 {0}。{2}',
  'Give the key for {0} separately, not in the URL.': '请单独给出 {0} 的密钥，不要写在网址中。',
  'The embedding model {0} at {1} {2}.': '{1} 上的向量模型 {0} {2}。',
  'The embedding model {0} at {1} refuses a text: it {2}.':
    '{1} 上的向量模型 {0} 拒绝了一段文本：{2}。',
  '{0} lets a second writer replace what the first one put (it does not honour If-None-Match: *), so that two machines would lose documents. Use a store that does: AWS S3, Cloudflare R2, MinIO, Ceph from 19 on.':
    '{0} 允许后一次写入覆盖前一次（不遵守 If-None-Match: *），两台机器会因此丢失文档。请换用支持的存储：AWS S3、Cloudflare R2、MinIO，或 Ceph 19 及以上版本。',
  '{0} refuses {1} {2}: {3}. {4}': '{0} 拒绝了 {1} {2}：{3}。{4}',
  '{0} cannot be reached: {1}. Check that it runs, and the settings {2}.url and {3}.bucket.':
    '无法连接 {0}：{1}。请检查它是否在运行，以及设置 {2}.url 和 {3}.bucket。',
  '{0} documents in a row could not be fetched. The others wait for the next run.':
    '连续 {0} 份文档无法获取，其余文档留待下次运行。',
  'The name {0} has control characters or is longer than {1} characters.':
    '名称 {0} 含有控制字符，或超过 {1} 个字符。',
  '{0} has more than {1} bytes.': '{0} 超过 {1} 字节。',
  'The source has more than {0} documents. Nothing was changed.':
    '来源的文档超过 {0} 份，没有做任何更改。',
  '{0} has too many folders.': '{0} 的文件夹过多。',
  '{0} is refused ({1}). Check the user and the password of the source.':
    '{0} 被拒绝（{1}）。请检查来源的用户名和密码。',
  'Cannot read {0}: the server answered with status {1}.': '无法读取 {0}：服务器返回状态 {1}。',
  '{0} cannot be read: {1}.': '无法读取 {0}：{1}。',
  '{0} refuses: {1}.': '{0} 拒绝：{1}。',
  'The mail {0} is gone.': '邮件 {0} 已不存在。',
  'The folder {0} numbers its mails anew.': '文件夹 {0} 的邮件已重新编号。',
  'The documents of {0} are those of a folder or site. Delete them by name.':
    '{0} 的文档属于文件夹或网站，请按名称删除。',
  'git cannot read {0}: {1}.': 'git 无法读取 {0}：{1}。',
  'The newest commit of {0} has more than {1} bytes.': '{0} 的最新提交超过 {1} 字节。',
  'Raise maxBytes of the source.': '请调大该来源的 maxBytes。',
  '{0} has no {1} any more.': '{0} 中已没有 {1}。',
  'What was deleted as {0} can no longer be restored.': '已删除的 {0} 无法再恢复。',
  'There is a collection {0} again. Restore the deleted one under another name with --as.':
    '已有新的文档集 {0}。请用 --as 为恢复的文档集另取名称。',
  'There is a document {0} again. Delete it first to restore the other.':
    '已有新的文档 {0}。要恢复旧的，请先删除新的。',
  'The {0} of {1} is gone. If it was deleted, restore it first.':
    '{1} 的{0}已不存在。如果是被删除的，请先恢复。',
  'There is no file {0}. Upload it first.': '没有文件 {0}。请先上传。',
  'The id of a document has {0}.': '文档的 ID {0}。',
  'The attribute external_id must be a text or a number.': '属性 external_id 须为文本或数字。',
  'There is no job {0}.': '没有任务 {0}。',
  'There is no source {0} in the settings.': '设置中没有来源 {0}。',
  'The settings have no sources.': '设置中没有来源。',
  'Add one to config.yaml, for example sources: { papers: { type: folder, path: /srv/papers } }.':
    '请在 config.yaml 中添加，例如 sources: { papers: { type: folder, path: /srv/papers } }。',
  'The run of the source {0} was cancelled.': '来源 {0} 的运行已取消。',
  '{0} documents could not be read. {1}': '有 {0} 份文档无法读取。{1}',
  'it has to be without a user name and password, which have settings of their own':
    '不能包含用户名和密码，它们有各自的设置',
  'See passim jobs.': '可用 passim jobs 查看。',
  'Job {0} cannot be {1}: it is {2}, or its document has changed since.':
    '无法{1}任务 {0}：它的状态是 {2}，或其文档已有更改。',
  'Cannot keep {0}: {1}.': '无法保持对 {0} 的占用：{1}。',
  'Cannot keep {0}: the catalog does not answer.': '无法保持对 {0} 的占用：目录库没有响应。',
  'Another process took over {0}.': '{0} 已被另一个进程接管。',
  'Process {0} is working as the {1}. {2}': '进程 {0} 正在担任{1}。{2}',
  'The collection is being embedded with {0}. Wait until it ends.':
    '文档集正在用 {0} 重新生成向量。请等待完成。',
  'passim jobs shows the progress.': '可用 passim jobs 查看进度。',
  'Upload {0} is {1} and accepts no more parts. Start another one.':
    '上传任务 {0} 的状态是 {1}，不再接收内容。请重新开始。',
  'The catalog names an upload {0}, which is not an id.': '目录库中的上传任务 {0} 不是有效的 ID。',
  'Upload {0} was announced with {1} bytes, and this part exceeds them. {2}':
    '上传任务 {0} 申报了 {1} 字节，这个分段超出了。{2}',
  'The catalog was busy with another transaction of this process for {0} s. Try again.':
    '目录库被本进程的另一个事务占用了 {0} 秒。请重试。',
  'The catalog {0} cannot be queried ({1}). {2}': '无法查询目录库 {0}（{1}）。{2}',
  'The disk of the database that has the catalog is full. Free some space there.':
    '目录库所在数据库的磁盘已满。请释放一些空间。',
  'A name is too long for the catalog ({0}). Shorten it.':
    '有一个名称对目录库来说过长（{0}）。请缩短。',
  'The catalog is damaged, according to its database ({0}).': '据数据库报告，目录库已损坏（{0}）。',
  'The schema has another store than {0}. Name another with catalog.schema.':
    '该 schema 中是另一个资料库，不是 {0}。请用 catalog.schema 指定其他的。',
  'The schema has the store of {0} already, as it was taken over before. Rows in the file and in the database: {1}. To go on with what the database has, move the file away; to take the file over instead, name an empty schema with catalog.schema.':
    '该 schema 中已有之前迁移来的资料库 {0}。文件和数据库中的行数：{1}。要继续使用数据库中的内容，请移走该文件；要改为迁移该文件，请用 catalog.schema 指定一个空的 schema。',
  'The store is closed: objects opened from it cannot be used after close(). Open it again.':
    '资料库已关闭，close() 之后不能再使用。请重新打开。',
  'The store has format {0}; this program reads up to {1}. Upgrade passim.':
    '资料库的格式为 {0}，本程序最高支持 {1}。请升级 passim。',
  'The clock of this machine is {0} that of the catalog {1}. Correct it, for example with NTP: it decides when stored objects expire.':
    '本机的时钟比目录库 {1} {0}。请校准（例如通过 NTP）：保存期限取决于时钟。',
  'To create one, run passim index PATH; to use another, change catalog.url or catalog.schema.':
    '要新建资料库，请运行 passim index PATH；要使用其他资料库，请更改 catalog.url 或 catalog.schema。',
  'The store {0} has format {1}; this program reads up to {2}. Upgrade passim.':
    '资料库 {0} 的格式为 {1}，本程序最高支持 {2}。请升级 passim。',
  'The store of {0} is closed: objects opened from it cannot be used after close(). Open it again.':
    '资料库 {0} 已关闭，close() 之后不能再使用。请重新打开。',
  'Another process has locked {0}. Wait until it ends.': '另一个进程锁定了 {0}。请等待它结束。',
  'If it is passim migrate, set catalog.url to the database afterwards.':
    '如果是 passim migrate，之后请把 catalog.url 设为该数据库。',
  'The disk of {0} is full, and the catalog needs some of it even to be read. Free some space and try again.':
    '{0} 所在的磁盘已满，而读取目录库也需要一些空间。请释放空间后重试。',
  'The catalog {0} cannot grow: the system limits files to {1} bytes (ulimit -f). Raise that limit and try again.':
    '目录库 {0} 无法增大：系统把文件限制为 {1} 字节（ulimit -f）。请调高该限制后重试。',
  'The catalog {0} is damaged ({1}). Import a backup into another home, or index the documents again there.':
    '目录库 {0} 已损坏（{1}）。请把备份导入另一个文件夹，或在那里重新索引文档。',
  'The catalog names a content {0}, which is not a SHA-256.': '目录库中的内容 {0} 不是 SHA-256。',
  'There is content in {0} already, which would be lost.': '{0} 中已有内容，继续会使其丢失。',
  '{0} ends {1} before its end.': '{0} 中的 {1} 不完整。',
  '{0} has lost {1}.': '{0} 丢失了 {1}。',
  'The stored attachment {0} is damaged: it is at {1}. Index its document again.':
    '附件 {0} 的存储信息已损坏：位置为 {1}。请重新索引其文档。',
  'The bytes were removed while they were being stored. Try again.':
    '内容在接收期间被删除。请重试。',
  'The stored vectors of {0} end before its chunks do.': '{0} 保存的向量少于分块。',
  'The stored text of {0} is damaged. It can be rebuilt from the file that was indexed.':
    '{0} 保存的文本已损坏，可用已索引的文件重建。',
  'Files are missing before {0}.': '{0} 之前有文件缺失。',
  '{0}, line {1}: a line before it is changed or missing.':
    '{0} 第 {1} 行：它之前的某一行被更改或缺失。',
  '{0}: the last lines are changed or missing.': '{0}：最后几行被更改或缺失。',
  '{0}: its head file is missing.': '{0}：缺少对应的 head 文件。',
  'Run passim verify --repair.': '请运行 passim verify --repair。',
  'There is no text of document {0}: it does not exist or is not indexed.':
    '没有文档 {0} 的文本：文档不存在，或尚未索引。',
  'There are no pictures of the pages of {0}: {1} is text.': '{0} 没有页面图像：{1} 是文本。',
  'The pages of {0} cannot be drawn here.': '无法在这里绘制 {0} 的页面。',
  'Install Passim again: its folder data/models/pp-ocrv6-small lacks files.':
    '请重新安装 Passim：其文件夹 data/models/pp-ocrv6-small 缺少文件。',
  'Install Passim without --omit=optional, or run npm install @hyzyla/pdfium sharp.':
    '请安装 Passim 时不要加 --omit=optional，或运行 npm install @hyzyla/pdfium sharp。',
  'Run npm install {0}.': '请运行 npm install {0}。',
  'Create a key with passim keys create, or listen on 127.0.0.1.':
    '请用 passim keys create 创建密钥，或改为监听 127.0.0.1。',
  'If the model accepts more, raise model.maxInputTokens.':
    '如果模型能接受更多，请调大 model.maxInputTokens。',
  'See passim sync.': '可用 passim sync 查看。',
  'To read it, raise fetching.maxBytes.': '如需读取，请调大 fetching.maxBytes。',
  'Raise its maxItems, or choose with include and exclude.':
    '请调大它的 maxItems，或用 include 和 exclude 筛选。',
  'The index of a collection is in Weaviate, which is not configured.':
    '有一个文档集的索引在 Weaviate 中，而 Weaviate 未配置。',
  'Set weaviate.urls as before, or move the collection with passim collections move NAME --engine lance.':
    '请恢复原来的 weaviate.urls，或运行 passim collections move NAME --engine lance 迁移文档集。',
  'A filter has at most {0} characters.': '筛选条件最多 {0} 个字符。',
  'The filter is not valid JSON: {0}': '筛选条件不是有效的 JSON：{0}',
  'In the filter: {0} is a date, but {1} is none. {2}': '筛选条件中的 {0} 是日期，而 {1} 不是。{2}',
  'Filter "{0}": {1}, expected {2}. Examples: author=Ada, year>=2020, language in zh,en.':
    '筛选条件“{0}”有误：{1}应为{2}。例如：author=Ada、year>=2020、language in zh,en。',
  'Filter "{0}": a quotation mark is not closed.': '筛选条件“{0}”的引号没有配对。',
  'Filter: {0}{1} {2}.': '筛选条件有误：{0}{1} {2}。',
  'The index of {0} cannot be reached: its S3 store does not answer.':
    '无法访问 {0} 的索引：其 S3 存储没有响应。',
  'The index of {0} cannot be written: the disk is full, or a file has the maximum size that the system allows (ulimit -f). Free some space or raise the limit, then try again.':
    '无法写入 {0} 的索引：磁盘已满，或文件已达到系统允许的最大大小（ulimit -f）。请释放空间或提高限制后重试。',
  'The index of {0} is damaged. It can be rebuilt from stored data.':
    '{0} 的索引已损坏，可用已保存的数据重建。',
  'Run passim doctor to check the store.': '可运行 passim doctor 检查资料库。',
  'Run passim verify --repair. It parses and embeds no document again.':
    '请运行 passim verify --repair，无需重新解析文档或生成向量。',
  'The catalog names a table {0}, which is not an id.': '目录库中的表 {0} 不是有效的 ID。',
  'The process that brings the index in order died ({0}). Check free memory and disk, and try again.':
    '整理索引的进程异常结束（{0}）。请检查剩余内存和磁盘空间后重试。',
  'The process that rewrites the catalog died ({0}). Check free memory and disk, and try again.':
    '重写目录库的进程异常结束（{0}）。请检查剩余内存和磁盘空间后重试。',
  'The index of {0} is missing, or was written by another version of Passim. A service rebuilds it when it starts.':
    '{0} 的索引不存在，或由其他版本的 Passim 写入。服务启动时会重建。',
  'Run passim index or passim verify --repair to rebuild it from stored data; no document is parsed or embedded again.':
    '请运行 passim index 或 passim verify --repair，用已保存的数据重建；无需重新解析文档或生成向量。',
  'The reranking model in {0} is closed.': '{0} 中的重新排序模型已关闭。',
  'its process ended ({0}) {1}': '其进程已结束（{0}）{1}',
  'The reranking model in {0} failed: {1}': '{0} 中的重新排序模型出错：{1}',
  'The reranking model {0} at {1} {2}.': '{1} 上的重新排序模型 {0} {2}。',
  'The synonyms have {0} characters, and {1} are allowed. Remove some lines.':
    '同义词有 {0} 个字符，最多 {1} 个。请删去一些行。',
  'Synonyms, line {0}: {1}.': '同义词第 {0} 行有误：{1}。',
  '{0} is of version {1}: it has to be 1.{2} or later.': '{0} 的版本是 {1}，须为 1.{2} 或更高。',
  '{0}: {1}': '{0}：{1}',
  '{0} refuses {1} {2}: status {3} {4}. {5}': '{0} 拒绝了 {1} {2}：状态码 {3} {4}。{5}',
  '{0} does not answer: {1}. Check that it runs, and the setting weaviate.urls.':
    '{0} 没有响应：{1}。请检查它是否在运行，以及设置 weaviate.urls。',
  '{0} did not accept {1} of {2} chunks: {3}': '{0} 未接收 {2} 个分块中的 {1} 个：{3}',
  '{0} could not remove {1} of {2} chunks.': '{0} 未能删除 {2} 个分块中的 {1} 个。',
  "{0} takes no class of Passim's: {1}. It must be version 1.35 or later.":
    '{0} 不接受 Passim 的类：{1}。版本须为 1.35 或更高。',
  'A data URI is data:TYPE;base64,BYTES; this is none.':
    'data URI 的形式为 data:TYPE;base64,BYTES，这里不是。',
  '{0} cannot be read: what its data URI holds is not base64.':
    '无法读取 {0}：其 data URI 的内容不是 base64。',
  '{0} has more than {1} bytes (fetching.maxBytes).': '{0} 超过 {1} 字节（fetching.maxBytes）。',
  'Cannot write {0} under {1}: {2} are free and {3} are kept. Free some space and try again.':
    '无法在 {1} 下写入 {0}：可用空间 {2}，其中 {3} 须预留。请释放空间后重试。',
  'Cannot listen on {0}, port {1}: {2}.': '无法监听 {0} 的端口 {1}：{2}。',
  'Choose another port with --port.': '请用 --port 换一个端口。',
  'no problems found': '没有发现问题',
  '{0} free': '可用空间 {0}',
  '{0}: five requests in {1} ms': '{0}：五次请求用时 {1} 毫秒',
  'PostgreSQL: five statements in {0} ms, its clock {1} ms behind':
    'PostgreSQL：五条语句用时 {0} 毫秒，时钟慢 {1} 毫秒',
  'PostgreSQL: five statements in {0} ms, its clock {1} ms ahead':
    'PostgreSQL：五条语句用时 {0} 毫秒，时钟快 {1} 毫秒',
  '{0}: version {1}, ready': '{0}：版本 {1}，已就绪',
  'embedded with {0}': '所用向量模型：{0}',
  'none yet': '还没有',
  'no index of more than {0} chunks': '没有超过 {0} 个分块的索引',
  'adding to the word index of {0} ({1} chunks) takes about {2} of memory, which no setting limits':
    '向 {0}（{1} 个分块）的词索引添加内容约需 {2} 内存，没有设置可以限制',
  '{0}, {1} dimensions, first vector after {2} ms': '{0}，{1} 维，{2} 毫秒后得到第一个向量',
  'their memory is read from /proc': '内存用量从 /proc 读取',
  'they report their own memory': '内存用量由进程自行报告',
  'none, so answers quote the documents': '未配置，回答摘自文档原文',
  '{0} at {1}': '{1} 上的 {0}',
  'calls tools': '能调用工具',
  'did not call a tool: enable tools on its server, or set model.functionCalling':
    '没有调用工具：请在其服务器上启用工具，或设置 model.functionCalling',
  'returns its reasoning': '返回推理过程',
  'returns no reasoning': '不返回推理过程',
  'reports tokens': '报告 token 用量',
  'reports no tokens': '不报告 token 用量',
  '{0}; {1}; {2}': '{0}；{1}；{2}',
  '{0}. Requests are adapted: {1}': '{0}。请求有所调整：{1}',
  'consecutive messages of one role are merged': '合并同一角色的连续消息',
  'results of tools are followed by an answer': '工具结果之后补一条回答',
  'tool calls of others are marked as unsigned': '其他模型的工具调用标为未签名',
  'a named tool_choice is sent as required, with that tool alone':
    '指定工具的 tool_choice 改为 required，并只提供该工具',
  'tool calls have ids of nine characters': '工具调用的 ID 为九个字符',
  'parameters of tools use the schema subset of OpenAPI 3.0':
    '工具参数使用 OpenAPI 3.0 的 schema 子集',
  'parallel_tool_calls is left out': '省略 parallel_tool_calls',
  'max_tokens is sent as max_completion_tokens': 'max_tokens 以 max_completion_tokens 发送',
  'temperature is left out': '省略 temperature',
  'top_p is left out': '省略 top_p',
  'stop is left out, and the text cut here': '省略 stop，由 Passim 截断文本',
  'stream_options is left out': '省略 stream_options',
  'reasoning_effort is sent as none with tools': '带工具时 reasoning_effort 设为 none',
  'tool_choice is sent as auto': 'tool_choice 改为 auto',
  'The server of the model {0} does not accept a setting of this request: {1}.':
    '模型 {0} 的服务器不接受本次请求的一项设置：{1}。',
  'A model is named at the server of a store: pass passim.model(name), or { url, name }.':
    '只有资料库的服务器上才能用名称指定模型：请传入 passim.model(name) 或 { url, name }。',
  'tools are left out': '不提供工具',
  'every message has a field for thoughts': '每条消息都带思考字段',
  'thoughts are left out': '不回传思考内容',
  'off: pictures and scanned pages are not read': '已关闭：不读取图片和扫描页',
  'pictures and scanned pages are not read. {0} {1}': '不读取图片和扫描页。{0}{1}',
  '{0}. ocr.engine and ocr.languages have no effect, because one model reads all pictures: remove the settings.':
    '{0}。ocr.engine 和 ocr.languages 不起作用，因为所有图片都由同一个模型读取：请删除这两项设置。',
  '{0}. {1} has no effect, because one model reads all pictures: remove the setting.':
    '{0}。{1} 不起作用，因为所有图片都由同一个模型读取：请删除这项设置。',
  'off: files of Publisher, Visio, WordPerfect, iWork and older Office programs are not read':
    '已关闭：不读取 Publisher、Visio、WordPerfect、iWork 和旧版 Office 的文件',
  'not installed: files of Publisher, Visio, WordPerfect, iWork and older Office programs are not read':
    '未安装：不读取 Publisher、Visio、WordPerfect、iWork 和旧版 Office 的文件',
  '{0} ({1}) converts formats that Passim does not read itself':
    '{0}（{1}）负责转换 Passim 本身不读取的格式',
  'none, so precise search compares sentences with the embedder':
    '未配置，精确搜索用向量模型比较句子',
}
