/** The ways of searching by name. */
export const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
