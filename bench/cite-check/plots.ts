import type { RiskCoverage } from './risk-coverage.ts'

const WIDTH = 640
const HEIGHT = 400
const LEFT = 56
const TOP = 24
const INNER_WIDTH = 380
const INNER_HEIGHT = 316
/** Okabe and Ito's colours, which the colour-blind tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

export type Line = { readonly name: string; readonly risk: RiskCoverage }

/** Risk against coverage as SVG: a line for what states its confidence, a dot for how each is set. */
export function riskPlot(title: string, lines: readonly Line[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${axes()}
${lines.map(drawn).join('\n')}
</svg>
`
}

const x = (coverage: number): string => (LEFT + coverage * INNER_WIDTH).toFixed(1)
const y = (risk: number): string => (TOP + (1 - risk) * INNER_HEIGHT).toFixed(1)

function axes(): string {
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  const vertical = ticks.map(
    at =>
      `<line x1="${x(0)}" x2="${x(1)}" y1="${y(at)}" y2="${y(at)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(at)}" text-anchor="end" dy="4">${at * 100} %</text>`,
  )
  const horizontal = ticks.map(
    at =>
      `<text x="${x(at)}" y="${TOP + INNER_HEIGHT + 18}" text-anchor="middle">${at * 100} %</text>`,
  )
  const names = [
    `<text x="${x(0.5)}" y="${HEIGHT - 12}" text-anchor="middle">questions that are answered</text>`,
    `<text transform="translate(14 ${y(0.5)}) rotate(-90)" text-anchor="middle">answers that are wrong</text>`,
  ]
  return [...vertical, ...horizontal, ...names].join('\n')
}

function drawn({ name, risk }: Line, index: number): string {
  const colour = COLOURS[index % COLOURS.length]
  const points = risk.curve.map(point => `${x(point.coverage)},${y(point.risk)}`).join(' ')
  const dot = `<circle cx="${x(risk.working.coverage)}" cy="${y(risk.working.risk)}" r="5" fill="${colour}"/>`
  const line =
    risk.curve.length > 1
      ? `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`
      : ''
  const at = TOP + 12 + index * 20
  const legend = `<circle cx="460" cy="${at - 4}" r="5" fill="${colour}"/><text x="472" y="${at}">${escaped(name)}</text>`
  return `${line}${dot}${legend}`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
