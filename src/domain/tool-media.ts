/** Where the files of a tool, its video and its captions are, for everyone who may read them. */

/** The address that a file is downloaded from, and a video is played from. */
export const toolFileHref = (id: string): string => `/toolbox/files/${id}`;

/** The address of a picture. */
export const toolPictureSrc = (id: string): string => `${toolFileHref(id)}?show`;

/** The address of a published video's captions. */
export const toolCaptionsSrc = (videoId: string): string => `${toolFileHref(videoId)}/captions.vtt`;

/** What a file is called on a list if nobody has named it: its own name without the ending. */
export const readableName = (name: string): string => name.replace(/\.[a-z0-9]{1,5}$/i, '') || name;
