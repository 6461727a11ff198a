import { render } from 'preact'
import { App } from './app.tsx'
import { applyPreferences } from './preferences.ts'

applyPreferences()
const root = document.getElementById('page')
if (root) render(<App />, root)
