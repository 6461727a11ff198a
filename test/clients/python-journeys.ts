import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ClientJourneys, JourneyPlace } from './journeys.ts'
import { pythonPackages } from './python-packages.ts'

/** Each list of packages, and the clients in it. Lists that contradict each other are apart. */
const CLIENTS = [
  ['connect-agents.txt', ['openai-agents', 'litellm']],
  ['connect-llama-index.txt', ['llama-index']],
  ['journeys.txt', ['pydantic-ai', 'haystack']],
  ['journeys-graph.txt', ['langgraph', 'llm']],
  ['journeys-instructor.txt', ['instructor', 'cohere', 'fastmcp']],
  ['journeys-crew.txt', ['crewai']],
] as const

/** Clients of whose API only the ranking of texts is served. */
const RANKING = new Set<string>(['cohere'])

export type PythonJourneys = {
  readonly clients: readonly ClientJourneys[]
  /** Clients whose packages cannot be installed here. */
  readonly missing: readonly { readonly client: string; readonly reason: string }[]
  close(): void
}

/** Starts a process for each client, for all of its journeys. */
export async function startPythonJourneys(): Promise<PythonJourneys> {
  const programs: PythonProgram[] = []
  const missing: { client: string; reason: string }[] = []
  for (const [list, names] of CLIENTS) {
    const packages = await pythonPackages(pathHere(list))
    if ('reason' in packages) {
      const { reason } = packages
      missing.push(...names.map(name => ({ client: toLabel(name), reason })))
    } else programs.push(...names.map(name => new PythonProgram(name, packages.env)))
  }
  return {
    clients: programs.map(program => program.toJourneys()),
    missing,
    close: () => {
      for (const program of programs) program.close()
    },
  }
}

class PythonProgram {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #stderr = ''

  constructor(name: string, env: Readonly<Record<string, string>>) {
    this.#name = name
    const quiet = {
      ...{ HAYSTACK_TELEMETRY_ENABLED: 'False', LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      ...{ CREWAI_DISABLE_TELEMETRY: 'true', CREWAI_TRACING_ENABLED: 'false' },
    }
    const child = spawn('python3', [pathHere('python_journeys.py'), name], {
      env: { ...process.env, ...env, ...quiet },
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2_000)
    })
    this.#child = child
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  }

  toJourneys(): ClientJourneys {
    const run = (journey: string) => async (place: JourneyPlace) => {
      this.#child.stdin?.write(`${JSON.stringify({ journey, ...place })}\n`)
      const { value } = await this.#lines.next()
      const { problem } = value ? JSON.parse(value) : { problem: this.#stderr }
      if (problem !== null) throw new Error(problem)
    }
    const client = toLabel(this.#name)
    if (RANKING.has(this.#name)) return { client, rank: run('rank') }
    return { client, answer: run('answer'), call: run('call'), cut: run('cut') }
  }

  close(): void {
    this.#child.kill()
  }
}

function toLabel(name: string): string {
  return `${name} (Python)`
}

function pathHere(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
