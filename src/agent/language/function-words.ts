/**
 * Chinese words that hold a question together and say nothing of what is asked, by the closed classes of the grammar: adverbs of
 * negation, degree and time, auxiliary verbs and how they ask, prepositions, what makes a place or a time of a noun, complements
 * of direction, particles, conjunctions, pronouns, and the measure word for anything.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `不 没 别 未 很 太 更 再 又 也 还 都 就 才 只 仅 已 已经 曾 正 正在 刚 一直 到底 究竟
  会 要 能 可 得 须 必须 应 该 可以 能够 应当 会不会 能不能 可不可以 该不该 不会 不能 不要
  在 到 从 向 往 把 被 给 对 为 由 于 以 比 跟 同 让 使 上 下 里 中 内 外 前 后 时 时候 之前 之后 以前 以后 当
  下来 起来 出来 上来 了 着 过 的 地 啊 呀 和 与 及 或 而 但 但是 因 因为 如果 若 要是 的话 所以 那么 并 且 则 即
  我 你 您 他 她 它 我们 你们 他们 自己 这 那 这个 那个 这些 那些 这种 此 其 个`.split(/\s+/),
)

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })
const HAN_RUN = /\p{Script=Han}+/gu

/** A question with a blank for each of its Chinese function words: the words beside them are not one word, and what is left asks. */
export function withoutFunctionWords(question: string): string {
  return question.replace(HAN_RUN, run => {
    const words = [...WORDS.segment(run)].map(({ segment }) => segment)
    return words.map(word => (FUNCTION_WORDS.has(word) ? ' ' : word)).join('')
  })
}
