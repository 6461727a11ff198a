const LEANS_BACK =
  /^(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|also|otherwise|in this case|for (?:this|that|the same) reason|the (?:latter|former|same))\b|^(?:其(?!他|它|中)|该|它|此|但|因此|所以|否则|同时|前款|上述|前者|后者)/i

/** A sentence that begins with a word that points back is understood only with the one before it. */
export function leansBack(sentence: string): boolean {
  return LEANS_BACK.test(sentence)
}
