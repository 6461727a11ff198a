import { computed, effect, signal } from '@preact/signals'
import { en, type Sentences } from './sentences/en.ts'
import { zh } from './sentences/zh.ts'

type LanguageName = 'en' | 'zh'
export type Theme = 'system' | 'light' | 'dark'

const LANGUAGE = 'passim.language'
const THEME = 'passim.theme'

export const language = signal<LanguageName>(detectLanguage())
export const theme = signal<Theme>((localStorage.getItem(THEME) as Theme | null) ?? 'system')

export function t(): Sentences {
  return language.value === 'zh' ? zh : en
}

export function chooseLanguage(name: LanguageName): void {
  localStorage.setItem(LANGUAGE, name)
  language.value = name
}

export function chooseTheme(name: Theme): void {
  localStorage.setItem(THEME, name)
  theme.value = name
}

export function applyPreferences(): void {
  effect(() => {
    document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
    document.documentElement.dataset.theme = theme.value
  })
}

function detectLanguage(): LanguageName {
  const chosen = localStorage.getItem(LANGUAGE)
  if (chosen === 'en' || chosen === 'zh') return chosen
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

/** Created once per language, because formats are slow to create. */
const locale = computed(() => (language.value === 'zh' ? 'zh-CN' : 'en'))
const dates = computed(() => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium' }))
const times = computed(
  () => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }),
)
const numbers = computed(() => new Intl.NumberFormat(locale.value))

export function formatDate(time: string): string {
  return dates.value.format(Date.parse(time))
}

export function formatTime(time: string): string {
  return times.value.format(Date.parse(time))
}

export function formatLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([locale.value], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

export function formatNumber(value: number): string {
  return numbers.value.format(value)
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
