/**
 * Puts a file where all machines read it, and dies before the transaction that names it.
 * usage: node --import tsx test/fakes/die-putting.ts HOME BLOBS FILE
 */

import { SharedContents } from '../../src/ingest/store/contents/shared-contents.ts'
import { storeIn } from './catalog-environment.ts'
import { FolderBlobs } from './folder-blobs.ts'

const [home, blobs, file] = process.argv.slice(2)
const { catalog, content } = await storeIn(home!)
const folderOf = (sha256: string) => content.getFolder(sha256)
content.share(
  new SharedContents({
    catalog,
    blobs: new FolderBlobs(blobs!),
    folderOf,
    copies: { grow: async () => {} },
  }),
)
const staging = await content.openStaging()
await staging.copy(file!)
await staging.sync()
process.kill(process.pid, 'SIGKILL')
