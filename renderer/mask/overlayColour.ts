// The colour in which masks are seen over the picture: a red that few pictures hold, as on masking film.

export const overlayRgb = [255, 45, 70] as const;
/** The same for style sheets and canvases. */
export const overlayColour = `rgb(${overlayRgb.join(' ')})`;
/** How much of it covers the picture where the mask is full. */
export const overlayOpacity = 0.5;
