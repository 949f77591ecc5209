import { addLateStyle } from '../styles/late-style.ts'
import domainsCss from './domains.css' with { type: 'text' }

addLateStyle(domainsCss)
