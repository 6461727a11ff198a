/** 服务的固定语句：不含值的拒绝原因、状态和通知。 */
export const zhServiceMessages: Readonly<Record<string, string>> = {
  'A model that this service works with is not available.': '本服务使用的模型目前不可用。',
  "A model that this service uses is not available for this request: its server refused it and would refuse it again. Send a shorter or different request, or ask the operator, whose log has the details under this request's x-request-id.":
    '本服务使用的模型无法处理这个请求：其服务器拒绝了请求，重试也会被拒绝。请缩短或更改请求，或询问运维人员：可凭此请求的 x-request-id 在日志中查到详情。',
  "Its server does not know the model or refuses this service's key. Ask the operator, whose log has the details under this request's x-request-id.":
    '其服务器不认识这个模型，或不接受本服务的密钥。请询问运维人员：可凭此请求的 x-request-id 在日志中查到详情。',
  'A part of the store (its catalog, its contents or its index) cannot be reached. Try again in a moment.':
    '资料库的一部分（目录库、内容或索引）目前无法访问。请稍后重试。',
  'A part of the store (its catalog, its contents or its index) cannot be used as it is. The log of the service has the details.':
    '资料库的一部分（目录库、内容或索引）目前无法使用。详情见服务日志。',
  'The operator of this service can see the details.': '本服务的运维人员可以看到详情。',
  "Try again later. The server's log has the details under this request's x-request-id.":
    '请稍后重试。可凭此请求的 x-request-id 在服务日志中查到详情。',
  "Something failed inside Passim. The server's log has the details under this request's x-request-id.":
    'Passim 内部出错。可凭此请求的 x-request-id 在服务日志中查到详情。',
  "The server's disk is full. Free some space and try again.":
    '服务器的磁盘已满。请腾出空间后重试。',
  'The collection {0} is not moved to {1} yet.': '文档集 {0} 尚未迁移到 {1}。',
  'The collection {0} is not embedded with {1} yet.': '文档集 {0} 尚未用 {1} 重新生成向量。',
  'The collection {0} stays where it was.': '文档集 {0} 仍在原处。',
  'The collection {0} stays embedded as it was.': '文档集 {0} 的向量保持不变。',
  'The file is empty: it has no bytes.': '文件是空的。',
  'A valid key is needed: send it as Authorization: Bearer KEY. To get one, ask the operator of this service.':
    '需要有效的密钥：请以 Authorization: Bearer KEY 发送。密钥可向本服务的运维人员索取。',
  'All keys of this service are revoked, so it accepts no request. Ask its operator for a new key.':
    '本服务的密钥已全部吊销，因此拒绝所有请求。请向运维人员索取新的密钥。',
  'Files that a message brings are stored and indexed to be answered from.':
    '消息附带的文件会保存并索引，供回答使用。',
  'Files that a message names are indexed to be answered from.':
    '消息引用的文件会被索引，供回答使用。',
  'Threads are stored.': '对话会被保存。',
  'Chats are stored.': '对话会被保存。',
  'Without conversation nothing is stored, and the scope read is enough.':
    '不给出 conversation 时不保存任何内容，read 权限即可。',
  'With store: false and without a conversation nothing is stored, and the scope read is enough.':
    'store 为 false 且不给出 conversation 时不保存任何内容，read 权限即可。',
  'Its events were stored for a day only. Fetch the complete response.':
    '它的事件只保存一天。请获取完整的回答。',
  'Only responses made in the background or in a conversation store their events.':
    '只有后台回答或对话中的回答才保存事件。',
  'The server ended while it made this answer. Ask again.':
    '生成这个回答时，服务停止了运行。请重新提问。',
  'The answer was stopped.': '回答已停止。',
  'The user stopped the answer.': '用户停止了回答。',
  'Answer resumed.': '已继续回答。',
  'Calls of tools wait for approval.': '有工具调用在等待批准。',
  'The limit of model calls for one answer is reached.': '已达到一个回答的模型调用次数上限。',
  'The limit of tool calls for one answer is reached.': '已达到一个回答的工具调用次数上限。',
  'This question replaces the one named here and everything after it.':
    '这个问题取代了此处所指的问题及其后的全部内容。',
  'The credits are used up. Resume the answer when there are more.':
    '额度已用完。有了新的额度后可以继续回答。',
  'The key that started the answer is no longer valid. Resume it with a valid key.':
    '发起这个回答的密钥已失效。请用有效的密钥继续。',
  'A guardrail withdrew this.': '护栏撤回了此内容。',
  'A guardrail flagged this.': '护栏标记了此内容。',
  'The model could not judge the claims, so they were judged by words, numbers and names.':
    '模型未能核对这些说法，已改为按词语、数字和名称核对。',
  'Long conversations are shortened automatically: continue with previous_response_id or a conversation.':
    '过长的对话会自动缩短：请用 previous_response_id 或 conversation 继续。',
  'Send messages to POST /v1/chat/completions or POST /v1/responses.':
    '请把消息发送到 POST /v1/chat/completions 或 POST /v1/responses。',
  'Send messages to POST /v1/chat/completions.': '请把消息发送到 POST /v1/chat/completions。',
  'Send texts to POST /v1/embeddings.': '请把文字发送到 POST /v1/embeddings。',
  'Send questions to POST /v1/responses with a file_search tool.':
    '请把问题发送到 POST /v1/responses，并附 file_search 工具。',
  'Keep conversations with POST /v1/conversations.': '请用 POST /v1/conversations 保存对话。',
  'answers are edited after the model wrote them, so token probabilities would not match':
    '模型写出的回答还会经过编辑，token 概率无法对应',
  'supported tools are file_search and your own functions; the operator configures those of MCP servers':
    '支持的工具有 file_search 和自定义函数；MCP 服务器的工具由运维人员配置',
  'calls of tools that this service does not offer; leave them out':
    '本服务不提供这些工具调用，请去掉',
  'only functions can be called': '只能调用函数',
  'parts can be text, images and files; audio is not supported':
    '内容可以是文字、图片和文件，不支持音频',
  'OpenAI has deprecated the role function; use the role tool':
    'OpenAI 已弃用角色 function，请用角色 tool',
  "evals is not a purpose of OpenAI's file objects": 'evals 不是 OpenAI 文件对象的用途',
  'roles are system, developer, user, assistant and tool':
    '角色有 system、developer、user、assistant 和 tool',
  'send the prompt as text; token numbers are not read here':
    '请以文字发送提示，这里不接受 token 编号',
  'give the file_id of a file that was uploaded to /v1/files, or its bytes as base64 in file_data':
    '请给出已上传到 /v1/files 的文件的 file_id，或在 file_data 中以 base64 给出内容',
  'this service does not moderate; use a moderation service': '本服务不做内容审核，请使用审核服务',
  "the model's server fetches images and cannot read files stored here; send image_url":
    '图片由模型的服务器抓取，而它无法读取保存在本服务的文件，请改用 image_url',
  'stored prompts exist only at OpenAI; send the text as input or instructions':
    '只有 OpenAI 能保存提示，请把文字放在 input 或 instructions 中',
  'long conversations are shortened automatically, oldest messages first':
    '过长的对话会自动缩短，从最早的消息开始',
  'there are no personalities; describe one in instructions':
    '没有预设的性格，请在 instructions 中描述',
  'deprecated by OpenAI; use `tool_calls` instead': 'OpenAI 已弃用，请用 `tool_calls`',
  'deprecated by OpenAI; use `tools` instead': 'OpenAI 已弃用，请用 `tools`',
  'deprecated by OpenAI; use `tool_choice` instead': 'OpenAI 已弃用，请用 `tool_choice`',
  'answers are text, never audio': '回答只有文字，没有音频',
  'answers are text': '回答只有文字',
  'nothing outside of the documents is searched': '不搜索文档以外的内容',
  'a chat model cannot insert text before a suffix': '对话模型不能在后缀之前插入文字',
  'a prompt has one answer here': '这里每个提示只有一个回答',
  'a question has one answer here': '这里每个问题只有一个回答',
  'completions are not stored; responses are': '补全不会保存，只有 /v1/responses 的回答会保存',
  'give the image as an http(s) URL or a data URI': '请以 http(s) 网址或 data URI 给出图片',
  'the answer does not repeat the prompt': '回答中不会重复提示',
  'A language is a BCP 47 tag, such as en or zh-Hans': '语言须为 BCP 47 标签，例如 en 或 zh-Hans',
  'Give either text or image': 'text 和 image 必须且只能给出一个',
  'The address must begin with http:// or https://': '网址必须以 http:// 或 https:// 开头',
  'The image must be a data URI: data:image/png;base64,…':
    '图片必须是 data URI：data:image/png;base64,…',
  'has a name of more than 64 characters': '有一个名称超过 64 个字符',
  'must name the thread whose answer to resume': '必须指明要继续哪个对话的回答',
  'has more than 512 characters: keep them in a file': '超过 512 个字符，请改用文件存放',
  'has more than 16 keys': '超过 16 个键',
  'has more than 20 items; add them in turns': '超过 20 个条目，请分次添加',
  'give either file_ids or files': 'file_ids 和 files 必须且只能给出一个',
  'must be at most half of max_chunk_size_tokens': '不能超过 max_chunk_size_tokens 的一半',
}
