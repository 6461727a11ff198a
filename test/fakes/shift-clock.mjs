/** Loaded before a program (`--import`): its clock is PASSIM_TEST_CLOCK_MS ahead, or behind. */
const ahead = Number(process.env.PASSIM_TEST_CLOCK_MS)
const TrueDate = Date

globalThis.Date = class extends TrueDate {
  constructor(...given) {
    super(...(given.length === 0 ? [TrueDate.now() + ahead] : given))
  }

  static now() {
    return TrueDate.now() + ahead
  }
}
