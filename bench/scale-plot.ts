import type { Scale } from './scale.ts'

const WIDTH = 760
const HEIGHT = 400
const LEFT = 60
const TOP = 20
const INNER_WIDTH = 480
const INNER_HEIGHT = 320
/** Okabe and Ito's colours, which the colour-blind tell apart; bare LanceDB has dashes of the same. */
const LINES = [
  ['keyword', '#0072b2', ''],
  ['bare keyword', '#0072b2', '4 4'],
  ['vector', '#009e73', ''],
  ['bare vector', '#009e73', '4 4'],
  ['hybrid', '#d55e00', ''],
  ['bare legs', '#d55e00', '4 4'],
] as const

/** CPU of a question by the number of passages, both on logarithmic scales, as SVG. */
export function scalePlot(scales: readonly Scale[]): string {
  const sizes = scales.map(({ indexed }) => indexed.passages)
  const costs = scales.flatMap(({ asked }) => LINES.map(([name]) => asked.costs[name]?.cpuMs ?? 1))
  const x = axis(sizes, LEFT, LEFT + INNER_WIDTH)
  const y = axis(costs, TOP + INNER_HEIGHT, TOP)
  const grid = [
    ...x.powers.map(
      value =>
        `<line x1="${x.at(value)}" x2="${x.at(value)}" y1="${TOP}" y2="${TOP + INNER_HEIGHT}" stroke="#ddd"/><text x="${x.at(value)}" y="${TOP + INNER_HEIGHT + 18}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
    ),
    ...y.powers.map(
      value =>
        `<line x1="${LEFT}" x2="${LEFT + INNER_WIDTH}" y1="${y.at(value)}" y2="${y.at(value)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y.at(value)}" dy="4" text-anchor="end">${value}</text>`,
    ),
    `<text x="${LEFT + INNER_WIDTH / 2}" y="${HEIGHT - 10}" text-anchor="middle">passages</text>`,
    `<text transform="translate(16 ${TOP + INNER_HEIGHT / 2}) rotate(-90)" text-anchor="middle">CPU of a question, ms</text>`,
  ]
  const drawn = LINES.map(([name, colour, dashes], index) => {
    const points = scales.map(
      ({ indexed, asked }) => `${x.at(indexed.passages)},${y.at(asked.costs[name]?.cpuMs ?? 1)}`,
    )
    const at = TOP + 16 + index * 20
    const stroke = `stroke="${colour}" stroke-width="2"${dashes && ` stroke-dasharray="${dashes}"`}`
    return `<polyline points="${points.join(' ')}" fill="none" ${stroke}/><line x1="556" x2="584" y1="${at - 4}" y2="${at - 4}" ${stroke}/><text x="592" y="${at}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>CPU of a question by the number of passages</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...grid, ...drawn].join('\n')}
</svg>
`
}

/** Where a value stands between two places, and the powers of ten within. */
function axis(values: readonly number[], from: number, to: number) {
  const [least, most] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
  const at = (value: number) =>
    (from + ((Math.log10(value) - least) / Math.max(1, most - least)) * (to - from)).toFixed(1)
  return { at, powers: Array.from({ length: most - least + 1 }, (_, step) => 10 ** (least + step)) }
}
