import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Ask } from './ask/ask.tsx'
import { hasConversationList } from './ask/conversation.ts'
import { ConversationList } from './ask/conversation-list.tsx'
import { isOnline, key, needsKey, reconnections, signOut } from './connection.ts'
import { Documents } from './documents/documents.tsx'
import { Icon, type IconName } from './icons.tsx'
import { useLoaded } from './loaded.ts'
import { chooseLanguage, chooseTheme, language, type Theme, t, theme } from './preferences.ts'
import { linkTo, route } from './route.ts'
import { Search } from './search.tsx'
import { SignIn } from './sign-in.tsx'

type ViewName = (typeof VIEWS)[number] | (typeof ADMIN_VIEWS)[number]

const VIEWS = ['ask', 'documents', 'search', 'collections'] as const
const ADMIN_VIEWS = ['activity', 'keys', 'settings'] as const

export function App() {
  const [name = 'ask'] = route.value.path
  const isShared = name === 'shared' // needs no key, and leads nowhere
  return (
    <div class={`shell${isShared ? ' shared' : ''}`}>
      <button
        type="button"
        class="skip"
        onClick={() => document.getElementById('content')?.focus()}
      >
        {t().skip}
      </button>
      <header class="side">
        <a class="brand" href={linkTo()}>
          <span class="mark" aria-hidden="true" />
          Passim
        </a>
        {!isShared && (
          <nav aria-label={t().nav.label}>
            {VIEWS.map(view => (
              <NavLink key={view} view={view} isCurrent={view === name} />
            ))}
            <AdminLinks current={name} />
          </nav>
        )}
        {name === 'ask' && hasConversationList.value && <ConversationList />}
        <Preferences />
      </header>
      <main id="content" tabIndex={-1}>
        {!isOnline.value && (
          <p class="banner" role="alert">
            {t().lost}
          </p>
        )}
        {needsKey.value && !isShared ? <SignIn /> : <View />}
      </main>
    </div>
  )
}

function View() {
  const [name = 'ask', id] = route.value.path
  if (name === 'ask') return <Ask conversationId={id} />
  if (name === 'documents' && id === undefined) return <Documents />
  if (name === 'search') return <Search />
  if (isOther(name)) return <OtherView name={name} />
  return <Message title={t().notFound.title}>{t().notFound.text}</Message>
}

const OTHER_VIEWS = ['documents', 'collections', 'shared', ...ADMIN_VIEWS] as const

function isOther(name: string): name is (typeof OTHER_VIEWS)[number] {
  return OTHER_VIEWS.some(view => view === name)
}

function OtherView({ name }: { readonly name: (typeof OTHER_VIEWS)[number] }) {
  const loaded = useLoaded(async () => (await import('./other-views.ts')).otherViews, [])
  if (loaded.value.problem) return <Message title={t().notLoaded}>{t().reload}</Message>
  const Loaded = loaded.value.value?.[name]
  if (!Loaded) return <p class="page quiet working">{t().loading}</p>
  const [, id = ''] = route.value.path
  return <Loaded key={id} id={id} />
}

function Message({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="page">
      <h1>{title}</h1>
      <p class="quiet">{children}</p>
    </section>
  )
}

/** Opens with its views, except in a narrow window, which it would cover. */
function AdminLinks({ current }: { readonly current: string }) {
  const isOpen = useSignal(false)
  useEffect(() => {
    isOpen.value = isWide() && ADMIN_VIEWS.some(view => view === current)
  }, [current])
  return (
    <details
      class="admin"
      open={isOpen.value}
      onToggle={event => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary class="nav-link">
        <Icon name="admin" />
        <span>{t().nav.admin}</span>
      </summary>
      <div class="admin-links">
        {ADMIN_VIEWS.map(view => (
          <NavLink key={view} view={view} isCurrent={view === current} />
        ))}
      </div>
    </details>
  )
}

/** The width at which style.css puts the links at the bottom. */
function isWide(): boolean {
  return matchMedia('(min-width: 761px)').matches
}

function NavLink({ view, isCurrent }: { readonly view: ViewName; readonly isCurrent: boolean }) {
  return (
    <a
      class={`nav-link to-${view}`}
      href={linkTo(view)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon name={view} />
      <span>{t().nav[view]}</span>
    </a>
  )
}

const THEMES: Readonly<Record<Theme, { readonly icon: IconName; readonly next: Theme }>> = {
  system: { icon: 'system', next: 'light' },
  light: { icon: 'sun', next: 'dark' },
  dark: { icon: 'moon', next: 'system' },
}

function Preferences() {
  const { icon, next } = THEMES[theme.value]
  const themeName = `${t().theme.label}: ${t().theme[theme.value]}`
  const other = language.value === 'zh' ? 'en' : 'zh'
  return (
    <div class="preferences">
      <button
        type="button"
        class="plain"
        lang={other === 'zh' ? 'zh-CN' : 'en'}
        onClick={() => {
          chooseLanguage(other)
          reconnections.value++ // the service's messages are in the other language
        }}
      >
        {other === 'zh' ? '中文' : 'English'}
      </button>
      <button
        type="button"
        class="plain"
        onClick={() => chooseTheme(next)}
        aria-label={themeName}
        title={themeName}
      >
        <Icon name={icon} />
      </button>
      <a class="plain" href="docs" aria-label={t().nav.api} title={t().nav.api}>
        <Icon name="api" />
      </a>
      {key.value && (
        <button
          type="button"
          class="plain"
          onClick={signOut}
          aria-label={t().nav.signOut}
          title={t().nav.signOut}
        >
          <Icon name="out" />
        </button>
      )}
    </div>
  )
}
