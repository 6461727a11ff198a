/** Types that carry text or lead to it ([MS-PPT] 2.13.24, [MS-ODRAW] 2.2). */
export const RECORD = {
  document: 0x03e8,
  slide: 0x03ee,
  slideFacts: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  master: 0x03f8,
  slideShow: 0x03f9,
  objects: 0x0409,
  drawing: 0x040c,
  outline: 0x0ff0,
  placeholder: 0x0bc3,
  objectReference: 0x0bc1,
  outlineReference: 0x0f9e,
  textHeader: 0x0f9f,
  textCharacters: 0x0fa0,
  textStyle: 0x0fa1,
  textBytes: 0x0fa8,
  string: 0x0fba,
  embeddedObject: 0x0fcc,
  linkedObject: 0x0fce,
  control: 0x0fee,
  objectFacts: 0x0fc3,
  /** Fields, `*` in the text: numbers of slides, dates, headers and footers. */
  numberField: 0x0fd8,
  dateField: 0x0ff7,
  genericDateField: 0x0ff8,
  headerField: 0x0ff9,
  footerField: 0x0ffa,
  formattedDateField: 0x1015,
  listFormats: 0x0fac,
  outlineFormats: 0x0fae,
  headersFooters: 0x0fd9,
  headersFootersFacts: 0x0fda,
  documentTags: 0x07d0,
  userEdit: 0x0ff5,
  tags: 0x1388,
  tag: 0x138a,
  persistDirectory: 0x1772,
  comment: 0x2ee0,
  drawingContainer: 0xf002,
  group: 0xf003,
  shape: 0xf004,
  shapeFacts: 0xf00a,
  shapeProperties: 0xf00b,
  shapeText: 0xf00d,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  clientContent: 0xf011,
  moreProperties: 0xf122,
} as const

const HEAD_BYTES = 8
/** Version of a record with records ([MS-PPT] 2.3.1). */
const CONTAINER = 0xf

/** `instance` tells records of a type apart. */
export type PptRecord = {
  readonly type: number
  readonly instance: number
  readonly isContainer: boolean
  readonly start: number
  readonly end: number
}

export class PptRecords {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  readAt(offset: number, limit = this.bytes.length): PptRecord | undefined {
    const start = offset + HEAD_BYTES
    if (offset < 0 || start > limit) return undefined
    const version = this.bytes.readUInt16LE(offset)
    return {
      type: this.bytes.readUInt16LE(offset + 2),
      instance: version >> 4,
      isContainer: (version & 0xf) === CONTAINER,
      start,
      end: Math.min(limit, start + this.bytes.readUInt32LE(offset + 4)),
    }
  }

  *list({ start, end }: Pick<PptRecord, 'start' | 'end'>): Iterable<PptRecord> {
    for (let record = this.readAt(start, end); record; record = this.readAt(record.end, end))
      yield record
  }

  listChildren(
    container: PptRecord | undefined,
    ...types: readonly number[]
  ): readonly PptRecord[] {
    if (!container?.isContainer) return []
    const children = [...this.list(container)]
    return types.length === 0 ? children : children.filter(({ type }) => types.includes(type))
  }

  listTop(): readonly PptRecord[] {
    return [...this.list({ start: 0, end: this.bytes.length })]
  }

  /** Lists what a later version of PowerPoint added under the name of a tag. */
  listTagged(container: PptRecord | undefined, tagName: string): readonly PptRecord[] {
    const tags = this.listChildren(container, RECORD.tags).flatMap(list =>
      this.listChildren(list, RECORD.tag),
    )
    return tags.flatMap(tag => {
      const [name, content] = this.listChildren(tag)
      return name && content && this.readWide(name) === tagName ? [...this.list(content)] : []
    })
  }

  find(container: PptRecord | undefined, ...path: readonly number[]): PptRecord | undefined {
    let found = container
    for (const type of path) found = this.listChildren(found, type)[0]
    return found
  }

  /** Numbers beyond the end of an atom are 0. */
  read({ start, end }: PptRecord, bytes: number): Buffer {
    const content = this.bytes.subarray(start, Math.min(end, start + bytes))
    return content.length === bytes ? content : Buffer.concat([content], bytes)
  }

  getContent({ start, end }: PptRecord): Buffer {
    return this.bytes.subarray(start, end)
  }

  /** Reads two bytes per character. */
  readWide(record: PptRecord): string {
    return this.getContent(record).toString('utf16le')
  }
}
