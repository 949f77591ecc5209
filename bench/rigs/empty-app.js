import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

// The least that a page with React does.
createRoot(document.getElementById('root')).render(createElement('h1', null, 'Empty'))
