import { render } from 'preact'
import { App } from './app.tsx'
import { applyPreferences } from './preferences.ts'

/** Code of a key that an input method consumes, which Safari reports afterwards. */
const CONSUMED = 229

applyPreferences()
addEventListener(
  'keydown',
  event => {
    if (event.isComposing || event.keyCode === CONSUMED) event.stopPropagation()
  },
  { capture: true },
)
const root = document.getElementById('page')
if (root) render(<App />, root)
