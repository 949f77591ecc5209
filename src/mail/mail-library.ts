/** Loaded on first use, so that the program starts quickly. */
export const mailLibrary = () => import('nodemailer')
