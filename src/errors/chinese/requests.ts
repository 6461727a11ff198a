/** 服务拒绝请求时的消息，以及回答中的状态、提示和警告：以英文模板为键。 */
export const zhRequestMessages: Readonly<Record<string, string>> = {
  ' ({0} dimensions)': '（{0} 维）',
  'A background response must be stored: omit store, or set it to true.':
    '后台回答必须保存：请省略 store，或将其设为 true。',
  'A file is missing: {0}.': '缺少文件：{0}。',
  'A file of a message needs a data URL, or an http(s) URL to fetch it from.':
    '消息中的文件需要 data URL，或可供抓取的 http(s) 网址。',
  'A form field may have at most {0} characters.': '表单字段最多 {0} 个字符。',
  'A message {0}': '有一条消息{0}',
  'A page of {0}': '{0} 的网页',
  'A page without an origin': '没有来源的网页',
  'A picture, sound or film for a model must be an http(s) URL or a data URI.':
    '给模型的图片、声音或视频必须是 http(s) 网址或 data URI。',
  'A request may contain at most {0} files and images.': '一个请求最多包含 {0} 个文件和图片。',
  'An Idempotency-Key has at most {0} characters.': 'Idempotency-Key 最多 {0} 个字符。',
  'Answers by quotation need a search: omit tool_choice, or use a chat model.':
    '摘录式回答需要搜索：请省略 tool_choice，或使用对话模型。',
  'Files of this conversation no longer exist, so the answer does not use them: {0}.':
    '这个对话中的文件已不存在，回答没有用到它们：{0}。',
  'A call of a function needs a chat model: answers by quotation call none.':
    '调用函数需要对话模型：摘录式回答不调用函数。',
  'Give exactly one of documents, collection, file and everything.':
    'documents、collection、file 和 everything 必须且只能给出一个。',
  'Images need a chat model: answers by quotation only read text.':
    '图片需要对话模型：摘录式回答只读取文字。',
  'Its answer was abandoned before it ended.': '回答尚未结束就被放弃。',
  'JSON needs a chat model: answers by quotation are text.':
    'JSON 需要对话模型：摘录式回答只有文字。',
  'Key {0} has the scope {1}, but this request needs the scope {2}.{3}':
    '密钥 {0} 的权限是 {1}，而这个请求需要 {2} 权限。{3}',
  'One of the weights must be above 0.': '至少要有一个权重大于 0。',
  'Only a restored vector store can have a new name: omit as.':
    '只有恢复的文档集才能改名：请省略 as。',
  'Raise the context length of the server (Ollama: OLLAMA_CONTEXT_LENGTH), or set model.maxInputTokens below {0}.':
    '请调高服务器的上下文长度（Ollama：OLLAMA_CONTEXT_LENGTH），或把 model.maxInputTokens 设为小于 {0} 的值。',
  'Response {0} cannot be cancelled: it was not made in the background, and it has ended.':
    '回答 {0} 无法取消：它不是后台回答，并且已经结束。',
  'Select the documents by ids or by filter, and not by both.':
    '请用 ids 或 filter 选择文档，不要两者并用。',
  'Send either conversation or previous_response_id, not both.':
    'conversation 和 previous_response_id 请只给出一个。',
  'Several deleted vector stores have the name {0}: send the id of one of {1}.':
    '有多个已删除的文档集名为 {0}：请给出其中一个的 ID：{1}。',
  'Several file_search tools may differ in their vector stores only: filters and ranking apply to the complete answer.':
    '多个 file_search 工具只能在文档集上不同：筛选和排序适用于整个回答。',
  'Something failed inside Passim. {0}': 'Passim 内部出错。{0}',
  'The URL of the model cannot be used. {0}': '无法使用模型的网址。{0}',
  'Give an http(s) URL such as http://127.0.0.1:11434/v1, without user name and password, and set the key separately.':
    '请给出 http(s) 网址，例如 http://127.0.0.1:11434/v1，不含用户名和密码，密钥另行设置。',
  'The agent loop ended without an end event.': '智能体的循环没有正常结束。',
  'The answer took longer than {0} ms. Send a smaller request, or raise server.requestMs.':
    '回答用时超过 {0} 毫秒。请缩小请求，或调高 server.requestMs。',
  'The arguments are not valid JSON: {0}': '参数不是有效的 JSON：{0}',
  'The client disconnected before the answer was sent.': '回答尚未发送，客户端就断开了连接。',
  'The comparison {0} is not supported: use {1}.': '不支持比较方式 {0}：请用 {1}。',
  'The conversation {0} has no turns yet.': '对话 {0} 还没有问答。',
  'The file has no name: give its part a filename.': '文件没有名称：请给出 filename。',
  'The form has no file: send its bytes in a part named {0}, with a filename.':
    '表单中没有文件：请用名为 {0} 的部分发送其内容，并给出 filename。',
  'The form is incomplete or malformed: {0}.': '表单不完整或格式有误：{0}。',
  'The header {0} has to be a date such as {1}.': '请求头 {0} 必须是日期，例如 {1}。',
  'The host {0} is not a name of this machine': '主机 {0} 不是本机的名称',
  'The image cannot be passed to the model: {0} Alternatively, send it as a data URI.':
    '无法把图片交给模型：{0}也可以改用 data URI 发送。',
  'The items that the input refers to have more than {0} bytes. Refer to fewer, or continue the conversation itself.':
    '输入所引用的条目超过 {0} 字节。请减少引用，或直接继续该对话。',
  'The line is larger than {0} bytes. Send such a document as a file.':
    '这一行超过 {0} 字节。这样的文档请作为文件发送。',
  'The message {0} of the thread {1}': '对话 {1} 的消息 {0} ',
  'The model {0} ended its answer without a finish reason. Try again.':
    '模型 {0} 的回答没有给出结束原因。请重试。',
  'The model {0} gave no answer: {1}': '模型 {0} 没有回答：{1}',
  'its content filter stopped it. Rephrase the question, or use another model.':
    '回答被内容过滤器拦下。请换个说法提问，或换用其他模型。',
  'its token limit was reached before the answer began. Raise model.maxTokens, or use another model.':
    '回答尚未开始就达到了 token 上限。请调高 model.maxTokens，或换用其他模型。',
  'it was empty. Ask again, or use another model.': '内容为空。请重新提问，或换用其他模型。',
  'The model {0} twice gave an answer that does not match the output schema. {1}':
    '模型 {0} 两次给出的回答都不符合输出格式。{1}',
  'The model {0} was asked without tools, because its server does not accept them.':
    '模型 {0} 的服务器不接受工具，因此提问时没有附带工具。',
  'To let it call tools, enable them on its server, or set model.functionCalling to nous, qwen or react, which write calls as text.':
    '要让它调用工具，请在其服务器上启用，或把 model.functionCalling 设为 nous、qwen 或 react（以文字书写调用）。',
  "The model's server read {0} of about {1} tokens and cut the rest of the request.":
    '请求约有 {1} 个 token，模型的服务器只读取了 {0} 个，其余被截断。',
  'The process that wrote this answer ended too early. Ask again.':
    '生成这个回答的进程提前结束了。请重新提问。',
  'The process that wrote this answer ended too early. Ask again, or resume the conversation {0}.':
    '生成这个回答的进程提前结束了。请重新提问，或继续对话 {0}。',
  'The question is empty: ask something, in at least one word.': '问题为空：请至少输入一个词。',
  'The range is outside of the file, which has {0} bytes.': '范围超出了文件：文件只有 {0} 字节。',
  'The request body ended early: the connection was interrupted. Send the request again.':
    '请求正文不完整：连接中断了。请重新发送。',
  'The request body is a form, but has to be JSON. Upload files to /v1/files.':
    '请求正文是表单，而这里需要 JSON。文件请上传到 /v1/files。',
  'The request body': '请求正文',
  'The request body {0}. Upload documents as files, or split the request into several.':
    '请求正文{0}。请把文档作为文件上传，或拆分成几个请求。',
  'has more than {0} levels of nested objects and lists': '的对象和列表嵌套超过 {0} 层',
  'has more than {0} objects and lists': '有超过 {0} 个对象和列表',
  'has more than {0} properties': '有超过 {0} 个属性',
  'is larger than {0} bytes': '超过 {0} 字节',
  'The request cannot be read: {0}.': '无法读取请求：{0}。',
  'The request exceeded the {0} tokens of model.maxInputTokens: {1}.':
    '请求超出了 model.maxInputTokens 规定的 {0} 个 token：{1}。',
  'earlier messages left out: {0}': '省略了 {0} 条较早的消息',
  'messages shortened: {0}': '缩短了 {0} 条消息',
  'The request has no body: send one JSON object per line.':
    '请求没有正文：请发送 JSON 对象，每行一个。',
  'The request has no body: send the bytes of the file.': '请求没有正文：请发送文件的内容。',
  'The run was abandoned before it ended. Read its events to the end, or ask again.':
    '运行尚未结束就被放弃。请把事件读到最后，或重新提问。',
  'The run {0} ended without an answer.': '运行 {0} 结束时没有回答。',
  'The server is shutting down.': '服务正在关闭。',
  'The setting server.traces needs packages that are not installed.':
    '设置 server.traces 所需的软件包没有安装。',
  'The token has expired, so its request was ended.': '令牌已过期，请求已中止。',
  'The upload is larger than {0} bytes, and nothing was stored. Split it, or raise server.maxUploadBytes.':
    '上传的文件超过 {0} 字节，没有保存任何内容。请拆分文件，或调高 server.maxUploadBytes。',
  'The upload is not valid multipart/form-data: {0}.':
    '上传的内容不是有效的 multipart/form-data：{0}。',
  'The {0} alone is longer than the {1} tokens of a request. Shorten it.':
    '仅{0}就超过了请求上限（{1} 个 token）。请缩短。',
  'system message': '系统消息',
  'last message': '最后一条消息',
  'The line is not valid JSON: {0}.': '这一行不是有效的 JSON：{0}。',
  'The request body is not valid JSON: {0}.': '请求正文不是有效的 JSON：{0}。',
  'There is no call {0} in the conversation that this result could belong to.':
    '对话中没有与该结果对应的调用 {0}。',
  'There is no deletion {0} that can be restored. GET /api/deletions lists them.':
    '没有可恢复的删除记录 {0}。可用 GET /api/deletions 查看全部记录。',
  'There is no file {0} in vector store {1}.': '文档集 {1} 中没有文件 {0}。',
  'There is no item {0} in this conversation.': '这个对话中没有条目 {0}。',
  'There is no item {0}: its response or conversation was not stored, or was deleted.':
    '没有条目 {0}：其回答或对话没有保存，或已被删除。',
  'There is no job {0}. GET /api/jobs lists them.':
    '没有任务 {0}。可用 GET /api/jobs 查看全部任务。',
  'There is no message to answer.': '没有可回答的消息。',
  'There is no message {0} in the thread {1}. Read it from its beginning.':
    '对话 {1} 中没有消息 {0}。请从头读取。',
  'There is no model {0}. {1}': '没有模型 {0}。{1}',
  'GET /v1/models lists the available models.': '可用 GET /v1/models 查看现有模型。',
  'There is no question: messages must contain a message of the user.':
    '没有问题：messages 中须有一条用户消息。',
  'There is no question: the conversation needs a message of the user.':
    '没有问题：对话中须有一条用户消息。',
  'There is no response {0} to continue from, or an earlier response was deleted.':
    '没有可继续的回答 {0}，或更早的回答已被删除。',
  'There is no response {0}: it was not stored, or it was deleted.':
    '没有回答 {0}：它没有保存，或已被删除。',
  "There is no route {0} {1}. If this is a client of OpenAI's API, let its base URL end in /v1.":
    '没有路由 {0} {1}。如果这是 OpenAI 接口的客户端，其基础 URL 应以 /v1 结尾。',
  'There is no route {0} {1}. GET /openapi.json lists all routes.':
    '没有路由 {0} {1}。可用 GET /openapi.json 查看全部路由。',
  'There is no tool {0} to be called. {1}': '没有可调用的工具 {0}。{1}',
  'There are: {0}.': '现有：{0}。',
  'There are none.': '目前没有。',
  'There is no {0} in this list: it may have been deleted. List again from the start.':
    '列表中没有 {0}：可能已被删除。请从第一页重新列出。',
  'There is nothing to quote from, since there is no vector store yet. Create one and add a file to it.':
    '还没有文档集，因此没有可摘录的内容。请新建一个并加入文件。',
  'This Idempotency-Key was already used for another request. Use a new key for each request.':
    '这个 Idempotency-Key 已用于另一个请求。每个请求请使用新的键。',
  'This run already has a reader. A run whose events are read by onlyEvents cannot have another one.':
    '这次运行已有读取者。用 onlyEvents 读取事件的运行不能再有其他读取者。',
  'This service embeds with {0}{1}: send that name or {2}. To make {3} another name for it, the operator adds it to the setting server.embeddingAliases.':
    '本服务使用向量模型 {0}{1}：请用这个名称或 {2}。要让 {3} 成为它的另一个名称，请运维人员把它加入设置 server.embeddingAliases。',
  'This {0} has asked {1} times in a minute': '这个{0}一分钟内已发出 {1} 次请求',
  'API key': '密钥',
  'network address': '网络地址',
  'To allow it, add {0} to the setting server.corsOrigins.':
    '要允许它，请把 {0} 加入设置 server.corsOrigins。',
  'To use it from elsewhere, such as from a container as host.docker.internal, create an API key on the server, send it as Authorization: Bearer KEY, and set server.host to 0.0.0.0.':
    '要从别处使用（例如在容器中通过 host.docker.internal），请在服务器上创建 API 密钥，以 Authorization: Bearer KEY 发送，并把 server.host 设为 0.0.0.0。',
  'Unknown parameter: {0}.': '未知参数：{0}。',
  'Unknown parameter: {0}. Send the bytes in a part named {1}.':
    '未知参数：{0}。请用名为 {1} 的部分发送文件内容。',
  'Upload one file at a time.': '每次请只上传一个文件。',
  'Will not listen on {0} without keys: anyone who reaches it could read and delete everything.':
    '没有密钥时不能监听 {0}：任何能访问它的人都可以读取和删除全部内容。',
  'bytes: the maximum is {0}. The setting server.maxPartedUploadBytes raises it.':
    'bytes：最大为 {0}。可用设置 server.maxPartedUploadBytes 调高。',
  'documents.{0}: the document has no text in {1}.': 'documents.{0}：文档的 {1} 中没有文字。',
  'has the role {0}. {1}': '的角色是 {0}。{1}',
  'The roles are user, assistant, system, and function for the result of a tool.':
    '角色有 user、assistant、system，以及表示工具结果的 function。',
  'of the role {0} has content that is neither a text nor a list of {1}.':
    '（角色 {0}）的内容既不是文字，也不是由 {1} 组成的列表。',
  'it has expired': '已过期',
  'it has more than {0} characters': '超过 {0} 个字符',
  'it is for another audience': '其受众不是本服务',
  'it is not JSON': '不是 JSON',
  'it is not valid yet': '尚未生效',
  'its algorithm is {0}, not {1}': '其算法是 {0}，而不是 {1}',
  'its issuer is another': '签发者不符',
  'its signature is wrong': '签名有误',
  'knowledge cannot be cited, only documents can: omit citations, or index the knowledge as a document.':
    'knowledge 无法引用，只有文档可以引用：请省略 citations，或将这些内容作为文档建立索引。',
  'knowledge is a text, or a list of { source, content } or { url, text }.':
    'knowledge 须为一段文字，或由 { source, content } 或 { url, text } 组成的列表。',
  'query must be a non-empty string, page a whole number from 1 to {0}.':
    'query 须为非空文字，page 须为 1 到 {0} 的整数。',
  'run() takes a question, or a list of messages.': 'run() 接受一个问题，或一个消息列表。',
  '{0} The query parameter `collection` names the one to list.':
    '{0}请用查询参数 `collection` 指明要列出的文档集。',
  '{0} cannot be resumed after: its status is {1}.': '{0}之后无法继续：其状态是 {1}。',
  '{0} does not exist.': '{0}不存在。',
  '{0} does not support {1}: use {2}.': '{0} 不支持 {1}：请用 {2}。',
  '{0} has no table {1}: it has {2}.': '{0} 没有表格 {1}：共有 {2} 个。',
  '{0} is not a status message, so there is nothing to resume.':
    '{0}不是状态消息，没有可继续的内容。',
  '{0} is not supported: {1}.': '不支持 {0}：{1}。',
  '{0} may not use this server': '{0}不能使用本服务',
  '{0} requests are under way': '已有 {0} 个请求正在处理',
  '{0} requests of this {1} are under way': '这个{1}已有 {0} 个请求正在处理',
  '{0} supports only {1} dimensions.': '{0} 只支持 {1} 维。',
  '{0} was already resumed.': '{0}已经继续过。',
  '{0} {1} is not served here. {2}': '这里不提供 {0} {1}。{2}',
  '{0} {1}, not {2}.': '{0} {1}，而不是 {2}。',
  '{0}.': '{0}。',
  '{0}. Try again in {1} ms.': '{0}。请在 {1} 毫秒后重试。',
  '{0}: a server without keys accepts requests to localhost, 127.0.0.1 and [::1] only. {1}':
    '{0}：没有密钥的服务只接受发往 localhost、127.0.0.1 和 [::1] 的请求。{1}',
  '{0}: its name {1}.': '{0}：其名称{1}。',
  '{0}: {1}.': '{0}：{1}。',
}
