/** Imports `with { type: 'file' }` give the path of the file, which in the executable is an embedded one. */
declare module '*.mmdb' {
  const path: string
  export default path
}

declare module '*.ico' {
  const path: string
  export default path
}

/** Imports `with { type: 'text' }` give the content of the file. */
declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.svg' {
  const text: string
  export default text
}
