import { createElement, startTransition } from 'react'
import { createRoot } from 'react-dom/client'

const root = createRoot(document.getElementById('root')!)
// React and the app are evaluated as two tasks, and the first render is a transition, so that a slow phone can respond
// to touches in between.
const { App, readFirst } = await import('./app.tsx')
await readFirst()
startTransition(() => root.render(createElement(App)))
