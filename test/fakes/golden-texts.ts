const range = (length: number) => Array.from({ length }, (_, at) => at)
const words = (count: number, word: (at: number) => string) => range(count).map(word).join(' ')

const ZH = '这是一个很长的句子，讲述检索系统的行为，没有停顿一直写下去'

/** The texts that Qwen-Agent cut in the golden cases, by the name of the case. */
export const GOLDEN_TEXTS: Readonly<Record<string, string>> = {
  paras: range(60)
    .map(n => `Paragraph ${n} talks about topic${n}. ${words(9, at => `word${n}x${at}`)}`)
    .join('\n'),
  zh_long: `${ZH.repeat(40)}。`.repeat(5),
  en_one_para: words(200, at => `This is sentence number ${at} about retrieval.`),
  no_boundary: 'x'.repeat(3000),
  blank_lines: 'a\n\n\nb\n\n'.repeat(50),
  empty: '',
  mixed: Array.from(
    { length: 10 },
    () => `${'A longer english paragraph. '.repeat(30)}\n短段落。\n短段落。`,
  ).join('\n'),
}

function rankingDocument(n: number): string {
  const line = (at: number) =>
    `doc${n} line${at} ${n === 2 && at === 30 ? 'zebra stripes ' : ''}${words(12, word => `w${n}_${at}_${word}`)}`
  return range(60).map(line).join('\n')
}

/** Those that it ranked. */
export const RANKING_DOCUMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  range(4).map(n => [`d${n}.txt`, rankingDocument(n)]),
)
