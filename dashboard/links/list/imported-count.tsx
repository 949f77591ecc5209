import { fullNumber, shortNumber } from '../../format.ts'
import { importedCountStrings as texts } from './imported-count-strings.ts'
import './imported-count.css'

/** Beside the exact number, never added to it. */
export const ImportedCount = ({ clicks }: { clicks: number }) => (
  <span className="imported-count" title={texts.title(fullNumber(clicks))}>
    {texts.more(shortNumber(clicks))}
  </span>
)
