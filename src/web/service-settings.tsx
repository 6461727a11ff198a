import { useSignal } from '@preact/signals'
import type { Check, DoctorReport } from '../wire/checks.ts'
import { ChatModelSetting } from './chat-model.tsx'
import { fetchJson } from './connection.ts'
import { downloadJudgedAnswers } from './documents/stored-document.ts'
import { useLoaded } from './loaded.ts'
import { type Notice, NoticeText, toNotice } from './notice.tsx'
import { t } from './preferences.ts'

export function ServiceSettings() {
  const tests = useSignal(0)
  const loaded = useLoaded(
    signal => fetchJson<DoctorReport>(`/api/checks?model=${tests.value > 0}`, { signal }),
    [tests.value],
  )
  const { value: report, problem } = loaded.value
  return (
    <section class="page">
      <header class="page-head">
        <div>
          <h1>{t().settings.title}</h1>
          <p class="quiet">{t().settings.intro}</p>
        </div>
        {report && (
          <button
            type="button"
            class="secondary"
            onClick={() => {
              loaded.value = {}
              tests.value++
            }}
          >
            {t().settings.test}
          </button>
        )}
      </header>
      {problem && (
        <p class="note">
          {problem.code === 'forbidden' ? t().keys.forbidden : <NoticeText notice={problem} />}
        </p>
      )}
      {problem?.code !== 'forbidden' && (
        <ChatModelSetting
          changed={() => {
            tests.value++
          }}
        />
      )}
      {!report && !problem && (
        <p class="quiet working">{tests.value > 0 ? t().settings.testing : t().loading}</p>
      )}
      {report && <Report report={report} />}
    </section>
  )
}

function Report({ report }: { readonly report: DoctorReport }) {
  const { version, parsers, checks, hosts, settings } = report
  return (
    <>
      <p>{t().settings.program(version, parsers.length)}</p>
      <h2>{t().settings.parts}</h2>
      <ul class="jobs">
        {checks.map(check => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
      <h2>{t().settings.leaves}</h2>
      <p>{hosts.length > 0 ? t().settings.hosts : t().settings.noHosts}</p>
      {hosts.length > 0 && (
        <ul>
          {hosts.map(host => (
            <li key={host} dir="auto">
              {host}
            </li>
          ))}
        </ul>
      )}
      <h2>{t().settings.judged}</h2>
      <p>{t().settings.judgedHint}</p>
      <JudgedDownload />
      <h2>{t().settings.inEffect}</h2>
      <p class="quiet">{t().settings.inEffectHint}</p>
      <dl class="facts">
        {Object.entries(settings).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{String(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function JudgedDownload() {
  const problem = useSignal<Notice | undefined>(undefined)
  const save = async () => {
    problem.value = await downloadJudgedAnswers().then(() => undefined, toNotice)
  }
  return (
    <p>
      <button type="button" class="secondary" onClick={save}>
        {t().settings.judgedDownload}
      </button>
      {problem.value && <NoticeText notice={problem.value} />}
    </p>
  )
}

function CheckRow({ check: { name, ok, detail, error } }: { readonly check: Check }) {
  return (
    <li class="job">
      <p class="job-head">
        <span class={`badge ${ok ? 'completed' : 'failed'}`}>
          {ok ? t().settings.fine : t().settings.broken}
        </span>
        <span>{t().settings.names[name] ?? name}</span>
      </p>
      <p class="quiet" dir="auto">
        {detail}
      </p>
      {error && (
        <p class="problem">
          <NoticeText notice={error} />
        </p>
      )}
    </li>
  )
}
