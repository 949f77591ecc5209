// Most common passwords of twelve or more characters are short ones with something added, or patterns. So patterns are refused:
// lists of common passwords contain hardly any that are this long.

const COMMON_WORDS = new Set(
  [
    'abc abcd admin administrator alexander amanda andrew angel asdf asdfgh asdfghjkl ashley azerty babygirl',
    'baseball basketball batman blink buster changeme charlie chelsea chocolate computer consumer daniel default',
    'dragon eminem family flower football forever freedom fuckyou ginger google hannah harley heaven hello hockey',
    'hunter iloveu iloveyou internet jennifer jessica jordan justin killer letmein liverpool login lovely master',
    'matthew michael michelle monkey mustang myspace naruto nicole ninja pass passw password passwd pepper playboy',
    'pokemon princess qazwsx qwer qwert qwerty qwertyuiop qwertz robert root samantha samsung secret shadow',
    'soccer starwars summer sunshine superman superstar taylor temp test testing thomas trustno tinkle unknown user',
    'welcome whatever william winter yankees zaq zxcvbn zxcvbnm',
  ].flatMap((line) => line.split(' ')),
)

/** Rows and columns of keyboards, the alphabet, and digits. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
]
const ROW_CHARS_MAX = Math.max(...ROWS.map((row) => row.length))
const PIECE_CHARS_MIN = 3

/** Patterns, common words, and what is known about the user, are guessed first. */
export function isCommonPassword(password: string, known: readonly string[]): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (isRepetition(text) || isKeyboardWalk(text)) return true
  const ownWords = known.map(lettersOf).filter((word) => word.length >= PIECE_CHARS_MIN)
  return isMadeOf(lettersOf(password), new Set([...COMMON_WORDS, ...ownWords]))
}

/** Only letters, in lower case, and the digits and signs that stand for letters: `P@ssw0rd!` is `password`. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('@', 'a')
    .replaceAll('$', 's')
    .replaceAll(/(?<=[a-z])0|0(?=[a-z])/g, 'o')
    .replaceAll(/(?<=[a-z])3(?=[a-z])/g, 'e')
    .replaceAll(/[^a-z]/g, '')

/** `aaaaaaaaaaaa`, `abc1abc1abc1` */
const isRepetition = (text: string): boolean => /^(.{1,6}?)\1+.{0,2}$/su.test(text)

/** Parts of a row, forwards or backwards: `123456789012`, `qwertyuiop12`, `zyxwvuzyxwvu`. */
function isKeyboardWalk(text: string): boolean {
  const rows = ROWS.flatMap((row) => [row, [...row].reverse().join('')])
  let rest = text.replaceAll(/[^a-z0-9]/g, '')
  if (rest === '') return false
  while (rest.length >= PIECE_CHARS_MIN) {
    let length = Math.min(rest.length, ROW_CHARS_MAX)
    while (length >= PIECE_CHARS_MIN && !rows.some((row) => row.includes(rest.slice(0, length)))) length--
    if (length < PIECE_CHARS_MIN) return false
    rest = rest.slice(length)
  }
  return true
}

/** Common words only: `passwordpassword`, `welcomeadmin`. Digits and signs are already removed. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  if (text === '') return false
  const longest = Math.max(...[...words].map((word) => word.length))
  const ends = new Set([0])
  for (const start of ends) {
    for (let end = start + PIECE_CHARS_MIN; end <= Math.min(text.length, start + longest); end++) {
      if (words.has(text.slice(start, end))) ends.add(end)
    }
  }
  return ends.has(text.length)
}
