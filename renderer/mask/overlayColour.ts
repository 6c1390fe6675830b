// The colour in which masks are seen over the picture: a red that few pictures hold, as on masking film.

export const overlayColour = '#ff2d46';
/** The same as its red, green and blue. */
export const overlayRgb = [255, 45, 70] as const;
/** How much of it covers the picture where the mask is full. */
export const overlayOpacity = 0.5;
