/** Offered by name. Any other language tag can be typed. */
export const LANGUAGES = (
  'af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-419 et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy id is ' +
  'it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl pa pl pt pt-BR pt-PT ro ru si sk sl sq sr sv sw ta te th tr ' +
  'uk ur uz vi zh zh-CN zh-HK zh-TW zu'
).split(' ')
