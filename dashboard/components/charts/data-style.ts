import { addLateStyle } from '../../styles/late-style.ts'
import dataCss from './data.css' with { type: 'text' }

/** Figures, charts, the map, and the range they are of. */
addLateStyle(dataCss)
