/**
 * Of U+2E80 to U+2EF3, the radicals that look like a character of text, that character; itself for others. From Unicode's
 * EquivalentUnifiedIdeograph.txt 15.0, without the rare ones beyond the first plane.
 */
const FIRST = 0x2e80
const CHARACTERS =
  '⺀厂乛乚乙亻冂⺇刀刂卜㔾小小兀尣尢⺑巳幺彑⺕忄心扌攵⺚旡日' +
  '月歺母民氵氺灬爫爫丬牛犭王⺪目示礻⺮糹纟罓罒㓁冗⺵羊⺷⺸耂' +
  '肀聿肉⺽艹艹艹虎衤覀西见角⻇讠贝⻊车辶辶辶邑钅長镸长门⻕阝' +
  '雨青韦页风飞食⻞飠饣⻡马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟'

/** Radicals, and the strokes of which none is a character's likeness, lie apart from all that is written. */
const RADICAL = /[\u2e80-\u2fd5]/g

/**
 * Text as it was written. A font that draws a character and the radical that looks like it by one glyph, as most Chinese ones
 * do, has a browser note the radical for both when it prints: `⻔` and `⼊` where `门` and `入` stood.
 */
export function withoutRadicals(text: string): string {
  return text.replace(
    RADICAL,
    sign => CHARACTERS[sign.charCodeAt(0) - FIRST] ?? sign.normalize('NFKC'),
  )
}
