import path from 'node:path'
import type { SourceDocument } from '../cite-check/document.ts'
import { anythingLlmPeer } from './anything-llm.ts'
import { bm25Peer } from './bm25.ts'
import { passimOverHttp } from './passim-http.ts'
import { passimLibrary } from './passim-library.ts'
import type { Peer } from './peer.ts'
import { qmdPeer } from './qmd.ts'
import { qwenAgentPeer } from './qwen-agent.ts'
import { ragflowPeer } from './ragflow.ts'
import { responsesPeer } from './responses.ts'
import { setting } from './settings.ts'

type Surroundings = { readonly documents: readonly SourceDocument[]; readonly scratch: string }

/** A peer by the name that the command line gives it; where it needs an address or a program, the environment says which. */
export async function choosePeer(
  name: string,
  { documents, scratch }: Surroundings,
): Promise<Peer> {
  const [base = '', strictness] = name.split('@')
  switch (base) {
    case 'passim':
      return passimLibrary({
        home: path.join(scratch, name),
        ...(strictness && { strictness: Number(strictness) }),
      })
    case 'passim-http':
      return await passimOverHttp(path.join(scratch, name))
    case 'bm25':
      return bm25Peer(documents)
    case 'qwen-agent':
      return qwenAgentPeer({
        python: setting('PROOF_QWEN_PYTHON'),
        onRefused: (file, error) => console.error(`Qwen-Agent does not read ${file}: ${error}`),
      })
    case 'responses':
      return responsesPeer({
        name: 'responses',
        model: setting('PROOF_RESPONSES_MODEL'),
        ...service('PROOF_RESPONSES'),
      })
    case 'ragflow':
      return ragflowPeer(service('PROOF_RAGFLOW'))
    case 'anything-llm':
      return anythingLlmPeer(service('PROOF_ANYTHING_LLM'))
    case 'qmd':
      return qmdPeer({ command: setting('PROOF_QMD'), mode: 'search' })
    default:
      throw new Error(`No peer is called ${name}.`)
  }
}

const service = (prefix: string) => ({
  url: setting(`${prefix}_URL`),
  headers: { authorization: `Bearer ${setting(`${prefix}_KEY`)}` },
})
