/** A hash of bcrypt, which links from elsewhere may have: with a cost of 12 at most, checking it takes about 250 ms. */
export const BCRYPT = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/
