/** Loaded for the first mail, for the sake of a quick start. */
export const mailLibrary = () => import('nodemailer')
