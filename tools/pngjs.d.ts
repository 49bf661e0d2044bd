/** The part of pngjs that the tools use; the package brings no types. */
declare module 'pngjs' {
  export interface Picture {
    width: number;
    height: number;
    data: Buffer;
  }
  export class PNG implements Picture {
    constructor(options: { width: number; height: number });
    width: number;
    height: number;
    data: Buffer;
    static sync: { read(bytes: Uint8Array): Picture; write(picture: Picture): Buffer };
  }
}
