// Scripts that one language writes together. Letters of others in one word are how names are imitated.
const SCRIPTS = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]+$/u,
  ...['Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Armenian', 'Georgian'].map(
    (script) => new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u'),
  ),
]
/** Cyrillic and Greek letters that look like Latin ones. A word of nothing else could be read as another one. */
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵαικνορτυωγ0-9-]+$/

/** Whether a word with letters beyond ASCII cannot be mistaken for one of another script. */
export const isPlainScript = (word: string): boolean =>
  SCRIPTS.some((script) => script.test(word)) && !LOOKS_LATIN.test(word)
