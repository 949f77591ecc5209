/** Imports `with { type: 'text' }` give the content of the file. */
declare module '*.sql' {
  const text: string
  export default text
}
