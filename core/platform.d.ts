// The few names that core takes from outside the language and that Node and the page both have. Only core/tsconfig.json
// reads this file: it compiles core without the DOM's and Node's types, so that nothing else of theirs can slip in.

interface TextDecoderOptions {
  readonly fatal?: boolean;
}
declare class TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions);
  decode(input?: ArrayBuffer | ArrayBufferView): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
/** A file that a person dropped; core only names the type. */
interface File {
  readonly name: string;
  readonly size: number;
}
