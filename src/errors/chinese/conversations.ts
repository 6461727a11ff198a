export const zhConversationMessages: Readonly<Record<string, string>> = {
  'There is no conversation {0}: it was deleted or never existed.':
    '没有对话 {0}：可能已被删除，或从未存在。',
  'The conversation {0} has more than {1}, and cannot be continued. {2}':
    '对话 {0} 已超过 {1}，无法继续。{2}',
  'This conversation has more than {0}, and cannot be continued. {1}':
    '这个对话已超过 {0}，无法继续。{1}',
  '{0} bytes (server.maxConversationBytes)': '{0} 字节（server.maxConversationBytes）',
  '{0} items': '{0} 个条目',
  'Begin a new one, and send of this one only what it needs.':
    '请开始新的对话，只带上这个对话中需要的内容。',
  'Begin a new one, without previous_response_id, and send of this one only what it needs.':
    '请不带 previous_response_id 开始新的对话，只带上这个对话中需要的内容。',
  'An item of a conversation has at most {0} bytes; this one has {1}. Send it as a file.':
    '对话的一个条目最多 {0} 字节，这个条目有 {1} 字节。请作为文件发送。',
  'A guardrail refused the items. None was stored.': '护栏拒绝了这些条目，均未保存。',
  'The answer {0} is not complete.': '回答 {0} 不完整。',
  'This answer was already resumed.': '这个回答已恢复过。',
  'Turn {0} of the conversation {1} is still running. Wait until it ends, or stop it.':
    '对话 {1} 的第 {0} 轮仍在进行。请等它结束，或将其停止。',
  '{0} background answers are under way. Try again when one has ended.':
    '已有 {0} 个后台回答在进行，请在其中一个结束后再试。',
  'It was cancelled.': '已取消。',
  'The run {0} was ended meanwhile.': '运行 {0} 已在此期间结束。',
  'The hook {0} answered {1}; it must return {2}.': '钩子 {0} 返回了 {1}，须返回 {2}。',
  'The answer that {0} interrupted is not the last one: {1}': '被 {0} 中断的回答不是最后一个：{1}',
  'a later question followed it. The last answer was interrupted by {0}: resume that.':
    '其后又有提问。最后一个回答被 {0} 中断，请恢复那一个。',
  'The last answer of the conversation {0} {1}: there is nothing to resume.':
    '对话 {0} 的最后一个回答{1}：没有可恢复的内容。',
  'is under way': '仍在进行',
  'reached its limit of model calls': '已达到模型调用次数的上限',
  'was withdrawn': '已被撤回',
  'was not interrupted': '没有中断',
  'The answer {0} was made by an agent of a program or for a request to /v1/responses: continue it there.':
    '回答 {0} 由程序的智能体生成，或用于对 /v1/responses 的请求：请在那里继续。',
  'Calls wait for approval: {0}. Approve or reject each.':
    '有调用等待批准：{0}。请逐一批准或拒绝。',
  'nothing, "and" or "or" in place of "{0}"': '“and”、“or”或结尾，而不是“{0}”',
  'fewer parentheses': '较少的括号',
  'one of =, !=, >, >=, <, <=, in, not in, contains, under':
    ' =、!=、>、>=、<、<=、in、not in、contains、under 之一',
  '{0} hits: choose 1 to {1}.': '结果数 {0} 超出范围：须为 1 到 {1}。',
  'The query is empty: give it at least one word.': '查询为空：请至少输入一个词。',
  'Pages {0} to {1}: give the first and the last page, counted from 1.':
    '第 {0} 到 {1} 页：请给出首页和末页，从 1 开始。',
  'Weights {0} and {1}: give two that are not negative, one of them above 0.':
    '权重 {0} 和 {1}：两个都不能为负，且至少一个大于 0。',
}
