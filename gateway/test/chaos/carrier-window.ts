/** Unanswered parts on the carrier's link: the route's setting, and the base of what may be claimed when a process dies. */
export const carrierWindow = 50
