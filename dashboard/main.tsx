import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme, chosenTheme } from './theme.ts'

applyTheme(chosenTheme())
const root = createRoot(document.getElementById('root')!)
// A transition is drawn in small steps: a slow phone answers a touch in between.
startTransition(() => root.render(<App />))
