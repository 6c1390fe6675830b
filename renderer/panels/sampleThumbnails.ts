// The small pictures of the sample photos, 320 × 214 pixels, cut from the files in samples/.

import canyon from '../samples/canyon.webp';
import kitten from '../samples/kitten.webp';
import motherboard from '../samples/motherboard.webp';

/** Address of a sample's thumbnail, by the sample's name. */
export const sampleThumbnails: Readonly<Record<string, string>> = { canyon, kitten, motherboard };
