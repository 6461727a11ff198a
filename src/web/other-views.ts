import { Activity } from './activity.tsx'
import { ShareDialog } from './ask/share-dialog.tsx'
import { Collections } from './collections.tsx'
import { DocumentView } from './document/document.tsx'
import { Keys } from './keys.tsx'
import { ServiceSettings } from './service-settings.tsx'
import { SharedConversation } from './shared.tsx'

export { ShareDialog }

/** Views outside of the first download. */
export const otherViews = {
  documents: DocumentView,
  collections: Collections,
  activity: Activity,
  keys: Keys,
  settings: ServiceSettings,
  shared: SharedConversation,
}
