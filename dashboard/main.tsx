import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme, chosenTheme } from './theme.ts'

applyTheme(chosenTheme())
createRoot(document.getElementById('root')!).render(<App />)
