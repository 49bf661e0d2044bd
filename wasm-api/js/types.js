/**
 * Plain data that goes in and comes out.
 *
 * @typedef {string | URL | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module} WasmSource
 *
 * @typedef {object} Limits Bounds on what files may ask for; what is missing takes the default.
 * @property {number} [inputBytes] of one file; 64 MiB
 * @property {number} [memoryBytes] of everything together; 1 GiB
 * @property {number} [nodes] of one model; 16384
 * @property {number} [vertices] of one model; 4 million
 * @property {number} [jsonDepth] 64
 * @property {number} [imagePixels] 64 million
 * @property {number} [clips] of one model; 4096
 *
 * @typedef {object} CreateOptions
 * @property {WasmSource} [wasm] the binary; default: the one beside this package
 * @property {'auto' | boolean} [simd] which of the two binaries, when `wasm` is not given
 * @property {Record<string, string | ManifestEntry>} [manifest] where the assets lie that files name by GUID
 * @property {string | URL} [base] what addresses in the manifest and in `load` are relative to; default: the page, or the current folder
 * @property {Limits} [limits]
 *
 * @typedef {object} AuthorOptions
 * @property {WasmSource} [wasm] the binary of authoring; default: `marrow.author.wasm` of this package
 * @property {Limits} [limits]
 *
 * @typedef {object} Rectangle
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 *
 * @typedef {object} ManifestEntry Where one asset lies.
 * @property {string} url the file; for a picture on an atlas page, the page
 * @property {string} [page] what the page is called, when its address is not enough to tell pages apart
 * @property {Rectangle} [rect] the picture on the page, in pixels of the page, as stored
 * @property {boolean} [rotated] stored turned 90 degrees clockwise
 * @property {Rectangle} [trim] x, y: where the stored part lies in the untrimmed picture; width, height: the untrimmed size
 * @property {{ width: number, height: number }} [size] of the page; needed only where the page cannot be read
 * @property {string[]} [clips] of a rig: GUIDs or addresses (relative to the rig) of clips to load with it
 *
 * @typedef {object} LoadOptions
 * @property {string[]} [clips] addresses, relative to the rig, or GUIDs of clips to add
 * @property {boolean | 'optional'} [images] read the pictures, so that hit tests and rendering know their pixels; default true.
 *   'optional': one that cannot be read is left out, with a warning where the rig names it
 * @property {boolean} [strict] the first warning becomes the error
 * @property {(url: string) => Promise<Uint8Array | ArrayBuffer>} [read] reads a file, instead of `fetch` or the file system
 *
 * @typedef {object} BoneData A bone as its file says; angles in radians. The scale of a rig file's bone is 1.
 * @property {string} name
 * @property {number} parent index of a bone, or any number that is none
 * @property {number} x
 * @property {number} y
 * @property {number} rotation
 * @property {number} scaleX
 * @property {number} scaleY
 * @property {boolean} noScale
 * @property {number} node slot in the node arrays of an instance whose tree was not changed
 * @property {number[]} matrix at rest, in the rig's space: [a, b, c, d, e, f]
 * @property {number[]} inverseBind the inverse of `matrix`: what takes bind vertices into the bone's space
 *
 * @typedef {'normal' | 'add' | 'multiply' | 'screen'} Blend
 *
 * @typedef {object} PartData A part, listed in draw order.
 * @property {string} name
 * @property {number} sprite index in `sprites`, -1 none
 * @property {number} order
 * @property {boolean} visible
 * @property {Blend} blend
 * @property {number} fileIndex
 * @property {number} vertexCount
 * @property {number} triangleCount
 * @property {number} maxInfluences
 * @property {number} firstVertex where its vertices begin in those of an instance
 * @property {number} firstIndex where its triangles begin in `indices`
 * @property {number} indexCount
 *
 * @typedef {object} SpriteData
 * @property {string} guid or a literal path
 * @property {boolean} isGuid
 * @property {number} page
 *
 * @typedef {object} ClipData
 * @property {string} name
 * @property {string | null} id
 * @property {number} duration seconds
 * @property {number} frameRate
 * @property {boolean} loop what the file says; `play` decides by its own option
 * @property {{ path: string, trait: string, field: string, type: string, keyCount: number }[]} tracks
 * @property {{ path: string, part: string, keyCount: number }[]} deformTracks
 * @property {{ time: number, name: string, data: any }[]} events
 *
 * @typedef {object} WarningData A repair that a reader made.
 * @property {string} code
 * @property {string} path
 * @property {string} message
 *
 * @typedef {object} ModelData
 * @property {string | null} id
 * @property {number} fileVersion
 * @property {number | null} statedVersion
 * @property {BoneData[]} bones file order
 * @property {PartData[]} parts draw order
 * @property {SpriteData[]} sprites
 * @property {ClipData[]} clips
 * @property {WarningData[]} warnings
 * @property {{ guid: string, path: string }[]} assets the file's own table
 * @property {Extent} bounds of the bind pose, hidden parts included
 * @property {number} vertexCount
 * @property {number} indexCount
 * @property {number} influenceCount
 * @property {number} maxInfluences
 * @property {number[]} influenceHistogram how many vertices have 0, 1, 2, ... influences
 * @property {number} memory bytes
 *
 * @typedef {object} PageImage The picture of an atlas page.
 * @property {string | null} url
 * @property {number} width pixels; 0 when not known
 * @property {number} height
 *
 * @typedef {object} ImageData8 Pixels: RGBA, straight alpha, row 0 on top.
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array | Uint8ClampedArray} data
 *
 * @typedef {object} Run A span of consecutive visible parts that one mesh draws.
 * @property {number} page
 * @property {Blend} blend
 * @property {number} firstIndex
 * @property {number} indexCount
 * @property {number} firstVertex
 * @property {number} vertexCount
 * @property {number} color 0xRRGGBB
 * @property {number} opacity
 * @property {number} firstPart
 * @property {number} partCount
 *
 * @typedef {object} Extent
 * @property {number} minX
 * @property {number} minY
 * @property {number} maxX
 * @property {number} maxY
 *
 * @typedef {object} Bounds
 * @property {number} minX
 * @property {number} minY
 * @property {number} maxX
 * @property {number} maxY
 * @property {number} centerX
 * @property {number} centerY
 * @property {number} radius of the circle about the center that holds every vertex
 * @property {boolean} empty
 *
 * @typedef {object} PlayOptions
 * @property {boolean} [loop] default true
 * @property {number} [speed] default 1; negative plays backwards
 * @property {number} [fade] seconds of cross-fade from what is seen now; default 0
 * @property {boolean} [keepTime] keep the current time instead of starting at an end
 * @property {boolean} [oneSidedFull] while fading, a field that only one of the clips drives is shown at full strength
 *
 * @typedef {object} LayerOptions
 * @property {string | number} [clip] may be left out when the layer is there: then only its weight changes
 * @property {number} [weight] 0..1, default 1
 * @property {string[]} [mask] names of nodes; the layer touches them and what hangs below them
 * @property {boolean} [additive] add the clip's difference from its first frame
 * @property {boolean} [loop] default true
 * @property {number} [speed] default 1
 *
 * @typedef {object} PlaybackEvent
 * @property {'event' | 'loop' | 'end'} type
 * @property {string} clip
 * @property {number} time clip time of the crossing
 * @property {number} count how often it was crossed: 1, unless one update went round the clip thousands of times
 * @property {string | null} layer null for the main clip
 * @property {string | null} name of the clip's event, for 'event'
 * @property {any} data of the clip's event
 *
 * @typedef {object} Placement
 * @property {string} [name]
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [rotation]
 * @property {number} [scaleX]
 * @property {number} [scaleY]
 * @property {number} [order] in a crowd: lower is behind
 *
 * @typedef {Placement & { nodes?: boolean }} InstanceOptions `nodes` false starts with an empty tree
 *
 * @typedef {object} TransformFields
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [rotation] radians
 * @property {number} [scaleX]
 * @property {number} [scaleY]
 */

export {};
