import { addLateStyle } from '../styles/late-style.ts'
import domainsCss from '../styles/domains.css' with { type: 'text' }

addLateStyle(domainsCss)
