/** The code by which a domain that ignores case knows it. Only A to Z, which SQL of both engines folds in the same way. */
export const foldCode = (code: string): string => code.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
